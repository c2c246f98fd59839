;; Attacks in the way that the event's time says; at 0, and at what it does not know, it has no opinion.
(module
  (import "hookbox:hook/clock@0.1.0" "now" (func $now (result i64)))
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func $down (param i64 i64) (result i64)
    (i64.add (call $down (local.get 1) (local.get 0)) (local.get 0)))
  (func (export "handle") (param i32) (result i32) (local $attack i32) (local $at i32)
    (local.set $attack (i32.wrap_i64 (call $now)))
    (if (i32.eq (local.get $attack) (i32.const 1)) (then (unreachable)))
    (if (i32.eq (local.get $attack) (i32.const 2)) (then (loop (br 0))))
    (if (i32.eq (local.get $attack) (i32.const 3))
      (then (drop (call $down (i64.const 1) (i64.const 2)))))
    (if (i32.eq (local.get $attack) (i32.const 4))
      (then
        (loop $more
          (local.set $at (memory.grow (i32.const 16)))
          (if (i32.ne (local.get $at) (i32.const -1))
            (then
              (memory.fill (i32.shl (local.get $at) (i32.const 16)) (i32.const 7) (i32.const 4096))
              (br $more))))
        (unreachable)))
    (if (i32.eq (local.get $attack) (i32.const 5))
      (then (loop (call $write (i32.const 2) (i32.const 16) (i32.const 5)) (br 0))))
    ;; A line that is longer than a host call may be.
    (if (i32.eq (local.get $attack) (i32.const 6))
      (then (call $write (i32.const 2) (i32.const 0) (i32.const 60000))))
    ;; A rewrite that is neither of the two.
    (if (i32.eq (local.get $attack) (i32.const 7))
      (then (i32.store8 (i32.const 1048) (i32.const 1)) (i32.store8 (i32.const 1052) (i32.const 2))))
    ;; A context beyond its memory.
    (if (i32.eq (local.get $attack) (i32.const 8))
      (then
        (i32.store (i32.const 1064) (i32.const 1))
        (i32.store (i32.const 1068) (i32.const 8192)) (i32.store (i32.const 1072) (i32.const 40000000))))
    ;; A rewrite that opens 4,000 lists.
    (if (i32.eq (local.get $attack) (i32.const 9))
      (then
        (memory.fill (i32.const 8192) (i32.const 0x5b) (i32.const 4000))
        (i32.store (i32.const 1048) (i32.const 1))
        (i32.store (i32.const 1056) (i32.const 8192)) (i32.store (i32.const 1060) (i32.const 4000))))
    (if (i32.eq (local.get $attack) (i32.const 10))
      (then (drop (i32.div_u (i32.const 1) (i32.const 0)))))
    (i32.const 1024)))
