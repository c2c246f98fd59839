;; Takes one type for another: needs `gc`.
(module
  (type $one (sub (struct (field i32))))
  (type $other (sub $one (struct (field i32) (field i64))))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (drop (ref.cast (ref $other) (struct.new $one (i32.const 1))))
    (i32.const 1024)))
