;; Wants an array of 32 MiB at once: needs `gc`.
(module
  (type $bytes (array (mut i8)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (drop (array.new_default $bytes (i32.const 0x2000000)))
    (i32.const 1024)))
