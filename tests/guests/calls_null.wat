;; Calls an empty place of its table.
(module
  (memory (export "memory") 1)
  (table 1 funcref)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (call_indirect (i32.const 0))
    (i32.const 1024)))
