;; Its context holds half of a surrogate pair.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "\ed\a0\80")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1064) (i32.const 1))
    (i32.store (i32.const 1068) (i32.const 16)) (i32.store (i32.const 1072) (i32.const 3))
    (i32.const 1024)))
