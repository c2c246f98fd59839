;; Makes arrays of 64 KiB without end, and keeps none: needs `gc`.
(module
  (type $bytes (array (mut i8)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (loop $more
      (drop (array.new_default $bytes (i32.const 65536)))
      (br $more))
    (unreachable)))
