;; A program that lists its first folder and writes the error's number, as a character from `0` for none, to its standard error.
(module
  (import "wasi_snapshot_preview1" "fd_readdir" (func $list (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (func (export "_start")
    (i32.store (i32.const 0) (i32.const 16))
    (i32.store (i32.const 4) (i32.const 1))
    (i32.store8 (i32.const 16)
      (i32.add (i32.const 48)
        (call $list (i32.const 3) (i32.const 1024) (i32.const 60000) (i64.const 0) (i32.const 8))))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))))
