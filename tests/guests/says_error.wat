;; Answers with the error `sorry`.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "sorry")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1024) (i32.const 1))
    (i32.store (i32.const 1028) (i32.const 16)) (i32.store (i32.const 1032) (i32.const 5))
    (i32.const 1024)))
