;; A program that waits for things as its variable says: T=n for nothing at all, T=m for 20,000 things at once, T=p for
;; a moment long past, T=e for one that never comes. It writes the error's number, as a character from `0` for none, to its
;; standard error.
(module
  (import "wasi_snapshot_preview1" "environ_get" (func $environ (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 30)
  ;; A moment of the monotonic clock.
  (func $until (param $moment i64) (result i32)
    (i32.store (i32.const 1040) (i32.const 1))
    (i64.store (i32.const 1048) (local.get $moment))
    (i32.store16 (i32.const 1064) (i32.const 1))
    (call $poll (i32.const 1024) (i32.const 512) (i32.const 1) (i32.const 16)))
  (func $do (param $what i32) (result i32)
    (if (i32.eq (local.get $what) (i32.const 110)) (then
      (return (call $poll (i32.const 1024) (i32.const 512) (i32.const 0) (i32.const 16)))))
    (if (i32.eq (local.get $what) (i32.const 109)) (then
      (return (call $poll (i32.const 1024) (i32.const 1000000) (i32.const 20000) (i32.const 16)))))
    (if (i32.eq (local.get $what) (i32.const 112)) (then (return (call $until (i64.const 0)))))
    (call $until (i64.const -1)))
  (func (export "_start")
    (drop (call $environ (i32.const 48) (i32.const 64)))
    (i32.store8 (i32.const 32) (i32.add (i32.const 48) (call $do (i32.load8_u (i32.const 66)))))
    (i32.store (i32.const 0) (i32.const 32))
    (i32.store (i32.const 4) (i32.const 1))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))))
