;; Its rewrite is neither of the two.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store8 (i32.const 1048) (i32.const 1))
    (i32.store8 (i32.const 1052) (i32.const 2))
    (i32.const 1024)))
