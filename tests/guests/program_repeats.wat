;; A program that writes what it reads to its standard error, a buffer at a time.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    (loop $more
      (i32.store (i32.const 0) (i32.const 16))
      (i32.store (i32.const 4) (i32.const 60000))
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (i32.store (i32.const 4) (i32.load (i32.const 8)))
      (if (i32.load (i32.const 8)) (then
        (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 12)))
        (br $more))))))
