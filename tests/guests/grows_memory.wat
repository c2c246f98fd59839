;; Takes memory until none is given, touches it, then traps as an allocator would.
(module
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (local $at i32)
    (loop $more
      (local.set $at (memory.grow (i32.const 16)))
      (if (i32.ne (local.get $at) (i32.const -1))
        (then
          (memory.fill (i32.shl (local.get $at) (i32.const 16)) (i32.const 7) (i32.const 1048576))
          (br $more))))
    (unreachable)))
