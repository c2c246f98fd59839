;; Two functions that call each other for ever.
(module
  (memory (export "memory") 1)
  (func $ping (param i64) (result i64) (i64.add (call $pong (local.get 0)) (i64.const 1)))
  (func $pong (param i64) (result i64) (i64.add (call $ping (local.get 0)) (i64.const 2)))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (drop (call $ping (i64.const 1)))
    (i32.const 1024)))
