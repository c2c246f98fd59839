;; Makes a list that never ends: needs `gc`.
(module
  (type $list (struct (field $rest (ref null $list)) (field i64 i64 i64)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (local $list (ref null $list))
    (loop $more
      (local.set $list (struct.new $list (local.get $list) (i64.const 1) (i64.const 2) (i64.const 3)))
      (br $more))
    (unreachable)))
