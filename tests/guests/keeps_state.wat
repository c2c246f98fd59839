;; Traps if it finds anything of an earlier call in its memory or its globals.
(module
  (memory (export "memory") 1)
  (global $calls (mut i32) (i32.const 0))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (if (i32.or (global.get $calls) (i32.load (i32.const 60000))) (then (unreachable)))
    (global.set $calls (i32.const 1))
    (i32.store (i32.const 60000) (i32.const 1))
    (i32.const 1024)))
