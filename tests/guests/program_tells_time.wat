;; A program that writes to its standard error, in nanoseconds: the resolution of the wall clock and of the monotonic one, what
;; the wall clock says, and what the monotonic one says twice.
(module
  (import "wasi_snapshot_preview1" "clock_res_get" (func $resolution (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $at (mut i32) (i32.const 512))
  (func $put (param $byte i32)
    (i32.store8 (global.get $at) (local.get $byte))
    (global.set $at (i32.add (global.get $at) (i32.const 1))))
  (func $digits (param $number i64)
    (if (i64.ge_u (local.get $number) (i64.const 10)) (then
      (call $digits (i64.div_u (local.get $number) (i64.const 10)))))
    (call $put (i32.add (i32.const 48) (i32.wrap_i64 (i64.rem_u (local.get $number) (i64.const 10))))))
  ;; What a call with this error has left at 8.
  (func $tell (param $error i32)
    (if (local.get $error) (then (unreachable)))
    (call $digits (i64.load (i32.const 8)))
    (call $put (i32.const 32)))
  (func (export "_start")
    (call $tell (call $resolution (i32.const 0) (i32.const 8)))
    (call $tell (call $resolution (i32.const 1) (i32.const 8)))
    (call $tell (call $time (i32.const 0) (i64.const 1) (i32.const 8)))
    (call $tell (call $time (i32.const 1) (i64.const 1) (i32.const 8)))
    (call $tell (call $time (i32.const 1) (i64.const 1) (i32.const 8)))
    (i32.store (i32.const 0) (i32.const 512))
    (i32.store (i32.const 4) (i32.sub (global.get $at) (i32.const 512)))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))))
