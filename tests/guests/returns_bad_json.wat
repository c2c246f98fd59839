;; Its rewrite is not JSON.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "{\"a\":1,\"a\":2}")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1048) (i32.const 1))
    (i32.store (i32.const 1056) (i32.const 16)) (i32.store (i32.const 1060) (i32.const 13))
    (i32.const 1024)))
