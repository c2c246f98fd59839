;; Declares a table of a million elements.
(module
  (memory (export "memory") 1)
  (table 1000000 funcref)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (i32.const 1024)))
