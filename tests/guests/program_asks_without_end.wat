;; A program that asks for the time without end.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (loop $more (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 0))) (br $more))))
