;; Claims that its context is as long as a length can be.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1064) (i32.const 1))
    (i32.store (i32.const 1068) (i32.const 8192)) (i32.store (i32.const 1072) (i32.const 0xffffffff))
    (i32.const 1024)))
