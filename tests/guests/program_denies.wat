;; A program that reads nothing and writes a deny.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\10\00\00\00\2c\00\00\00")
  (data (i32.const 16) "{\"verdict\":\"deny\",\"code\":\"no\",\"reason\":\"hm\"}")
  (func (export "_start") (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))
