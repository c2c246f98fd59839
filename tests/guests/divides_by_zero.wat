;; Divides by zero.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (drop (i32.div_u (i32.const 1) (i32.load (i32.const 0))))
    (i32.const 1024)))
