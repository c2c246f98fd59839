;; Takes its argument at an odd address.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4097))
  (func (export "handle") (param i32) (result i32)
    (i32.const 1024)))
