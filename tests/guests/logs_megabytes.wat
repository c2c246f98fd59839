;; Logs one line of 3 MB.
(module
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (drop (memory.grow (i32.const 63)))
    (call $write (i32.const 2) (i32.const 8192) (i32.const 3000000))
    (i32.const 1024)))
