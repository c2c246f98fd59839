;; Throws and catches without end: needs `exceptions`.
(module
  (tag $no)
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (loop $more
      (block $caught (try_table (catch $no $caught) (throw $no)))
      (br $more))
    (unreachable)))
