;; Logs the time in digits and has no opinion.
(module
  (import "hookbox:hook/clock@0.1.0" "now" (func $now (result i64)))
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (local $left i64) (local $at i32)
    (local.set $left (call $now))
    (local.set $at (i32.const 64))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at)
        (i32.add (i32.const 48) (i32.wrap_i64 (i64.rem_u (local.get $left) (i64.const 10)))))
      (br_if $digit (i64.ne (i64.const 0)
        (local.tee $left (i64.div_u (local.get $left) (i64.const 10))))))
    (call $write (i32.const 2) (local.get $at) (i32.sub (i32.const 64) (local.get $at)))
    (i32.const 1024)))
