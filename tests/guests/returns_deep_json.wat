;; Its rewrite is JSON that opens 40,000 lists.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (memory.fill (i32.const 8192) (i32.const 0x5b) (i32.const 40000))
    (i32.store (i32.const 1048) (i32.const 1))
    (i32.store (i32.const 1056) (i32.const 8192)) (i32.store (i32.const 1060) (i32.const 40000))
    (i32.const 1024)))
