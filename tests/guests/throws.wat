;; Throws what nobody catches: needs `exceptions`.
(module
  (tag $no)
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (throw $no)))
