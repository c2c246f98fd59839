;; Returns a context of 1.5 MB: less than a host call may move, more than an answer may hold.
(module
  (memory (export "memory") 64)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (memory.fill (i32.const 8192) (i32.const 120) (i32.const 1500000))
    (i32.store (i32.const 1064) (i32.const 1))
    (i32.store (i32.const 1068) (i32.const 8192)) (i32.store (i32.const 1072) (i32.const 1500000))
    (i32.const 1024)))
