;; Declares 2 GiB of memory to begin with.
(module
  (memory (export "memory") 32768)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (i32.const 1024)))
