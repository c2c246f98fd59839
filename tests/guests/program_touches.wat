;; A program that does one thing in its first folder: T=<p|z|f|x|y><path>, for setting the times of what the path leads to
;; (to the earliest, to the latest), of what it has opened, removing a folder, reading a link. It writes the error's number, as a character from `0` for none,
;; and what the link says to its standard error.
(module
  (import "wasi_snapshot_preview1" "environ_get" (func $environ (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_filestat_set_times"
    (func $touch (param i32 i32 i32 i32 i64 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_filestat_set_times" (func $touch_open (param i32 i64 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_remove_directory" (func $remove (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_readlink" (func $read_link (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (func $length (param $at i32) (result i32) (local $end i32)
    (local.set $end (local.get $at))
    (loop $next (if (i32.load8_u (local.get $end)) (then
      (local.set $end (i32.add (local.get $end) (i32.const 1))) (br $next))))
    (i32.sub (local.get $end) (local.get $at)))
  (func $do (param $task i32) (param $path i32) (result i32) (local $size i32) (local $error i32)
    (local.set $size (call $length (local.get $path)))
    (if (i32.eq (local.get $task) (i32.const 0x70)) (then
      (return (call $touch (i32.const 3) (i32.const 1) (local.get $path) (local.get $size)
        (i64.const 0) (i64.const 0) (i32.const 5)))))
    (if (i32.eq (local.get $task) (i32.const 0x7a)) (then
      (return (call $touch (i32.const 3) (i32.const 1) (local.get $path) (local.get $size)
        (i64.const -1) (i64.const -1) (i32.const 5)))))
    (if (i32.eq (local.get $task) (i32.const 0x66)) (then
      (if (local.tee $error (call $open (i32.const 3) (i32.const 1) (local.get $path) (local.get $size)
          (i32.const 0) (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 40)))
        (then (return (local.get $error))))
      (return (call $touch_open (i32.load (i32.const 40)) (i64.const 0) (i64.const 0) (i32.const 5)))))
    (if (i32.eq (local.get $task) (i32.const 0x78)) (then
      (return (call $remove (i32.const 3) (local.get $path) (local.get $size)))))
    (call $read_link (i32.const 3) (local.get $path) (local.get $size)
      (i32.const 65) (i32.const 100) (i32.const 12)))
  (func (export "_start")
    (drop (call $environ (i32.const 48) (i32.const 66000)))
    (i32.store8 (i32.const 64)
      (i32.add (i32.const 48) (call $do (i32.load8_u (i32.const 66002)) (i32.const 66003))))
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.add (i32.const 1) (i32.load (i32.const 12))))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))))
