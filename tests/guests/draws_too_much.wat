;; Draws more random bytes in one call than it may.
(module
  (import "hookbox:hook/random@0.1.0" "bytes" (func $bytes (param i32 i32)))
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (local $at i32)
    (call $bytes (i32.const 4097) (i32.const 16))
    (local.set $at (i32.const 4096))
    (loop $letter
      (i32.store8 (local.get $at)
        (i32.add (i32.const 97) (i32.and (i32.const 15) (i32.load8_u (local.get $at)))))
      (br_if $letter (i32.lt_u
        (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const 4128))))
    (call $write (i32.const 2) (i32.const 4096) (i32.const 32))
    (i32.const 1024)))
