;; Calls a function as what it is not.
(module
  (memory (export "memory") 1)
  (table funcref (elem $other))
  (func $other (param i64))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (call_indirect (i32.const 0))
    (i32.const 1024)))
