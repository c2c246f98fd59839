;; A program that does one thing in its first folder: T=<r|w|k|d|m|h|l><path>, for read, write, make a folder, delete, move
;; to `moved`, hard link as `linked`, symbolic link to `.`. With a `.` before the letter it does so in the folder named `.`, as C
;; and Rust do for a relative path. It writes the error's number, as a character from `0` for none, and what it read to its
;; standard error.
(module
  (import "wasi_snapshot_preview1" "environ_get" (func $environ (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func $name (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_create_directory" (func $mkdir (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_unlink_file" (func $unlink (param i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_rename" (func $rename (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_link" (func $link (param i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_symlink" (func $symlink (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 16) "moved.linkedx")
  (global $folder (mut i32) (i32.const 3))
  ;; The number of the folder `.`, or -1 without one.
  (func $working (result i32) (local $fd i32)
    (local.set $fd (i32.const 3))
    (loop $next
      (if (call $prestat (local.get $fd) (i32.const 52)) (then (return (i32.const -1))))
      (if (i32.eq (i32.load (i32.const 56)) (i32.const 1)) (then
        (drop (call $name (local.get $fd) (i32.const 60) (i32.const 1)))
        (if (i32.eq (i32.load8_u (i32.const 60)) (i32.const 0x2e)) (then (return (local.get $fd))))))
      (local.set $fd (i32.add (local.get $fd) (i32.const 1)))
      (br $next))
    (unreachable))
  (func $length (param $at i32) (result i32) (local $end i32)
    (local.set $end (local.get $at))
    (loop $next (if (i32.load8_u (local.get $end)) (then
      (local.set $end (i32.add (local.get $end) (i32.const 1))) (br $next))))
    (i32.sub (local.get $end) (local.get $at)))
  (func $vector (param $at i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $at)) (i32.store (i32.const 4) (local.get $size)))
  (func $say (param $error i32)
    (i32.store8 (i32.const 64) (i32.add (local.get $error) (i32.const 48)))
    (call $vector (i32.const 64) (i32.add (i32.const 1) (i32.load (i32.const 12))))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $opened (param $path i32) (param $flags i32) (param $rights i64) (result i32)
    (call $open (global.get $folder) (i32.const 1) (local.get $path) (call $length (local.get $path))
      (local.get $flags) (local.get $rights) (i64.const 0) (i32.const 0) (i32.const 40)))
  (func $do (param $task i32) (param $path i32) (result i32) (local $size i32) (local $error i32)
    (local.set $size (call $length (local.get $path)))
    (if (i32.eq (local.get $task) (i32.const 0x72)) (then
      (if (local.tee $error (call $opened (local.get $path) (i32.const 0) (i64.const 2)))
        (then (return (local.get $error))))
      (call $vector (i32.const 65) (i32.const 60000))
      (return (call $read (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 12)))))
    (if (i32.eq (local.get $task) (i32.const 0x77)) (then
      (if (local.tee $error (call $opened (local.get $path) (i32.const 9) (i64.const 64)))
        (then (return (local.get $error))))
      (call $vector (i32.const 28) (i32.const 1))
      (return (call $write (i32.load (i32.const 40)) (i32.const 0) (i32.const 1) (i32.const 8)))))
    (if (i32.eq (local.get $task) (i32.const 0x6b)) (then
      (return (call $mkdir (global.get $folder) (local.get $path) (local.get $size)))))
    (if (i32.eq (local.get $task) (i32.const 0x64)) (then
      (return (call $unlink (global.get $folder) (local.get $path) (local.get $size)))))
    (if (i32.eq (local.get $task) (i32.const 0x6d)) (then
      (return (call $rename (global.get $folder) (local.get $path) (local.get $size)
        (global.get $folder) (i32.const 16) (i32.const 5)))))
    (if (i32.eq (local.get $task) (i32.const 0x68)) (then
      (return (call $link (global.get $folder) (i32.const 0) (local.get $path) (local.get $size)
        (global.get $folder) (i32.const 22) (i32.const 6)))))
    (call $symlink (i32.const 21) (i32.const 1) (global.get $folder) (local.get $path) (local.get $size)))
  (func (export "_start") (local $at i32)
    (drop (call $environ (i32.const 48) (i32.const 66000)))
    (local.set $at (i32.const 66002))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e)) (then
      (global.set $folder (call $working))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (call $say (call $do (i32.load8_u (local.get $at)) (i32.add (local.get $at) (i32.const 1))))))
