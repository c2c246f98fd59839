;; A program that tells its standard error what it found, as a digit: 1 for arguments, 2 for variables, 4 for folders, added up.
(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_prestat_get" (func $prestat (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $found i32)
    (drop (call $args (i32.const 0) (i32.const 4)))
    (drop (call $environ (i32.const 8) (i32.const 12)))
    (local.set $found
      (i32.add (i32.ne (i32.load (i32.const 0)) (i32.const 0))
        (i32.add
          (i32.shl (i32.ne (i32.load (i32.const 8)) (i32.const 0)) (i32.const 1))
          (i32.shl (i32.eqz (call $prestat (i32.const 3) (i32.const 16))) (i32.const 2)))))
    (i32.store8 (i32.const 32) (i32.add (local.get $found) (i32.const 48)))
    (i32.store (i32.const 36) (i32.const 32))
    (i32.store (i32.const 40) (i32.const 1))
    (drop (call $write (i32.const 2) (i32.const 36) (i32.const 1) (i32.const 44)))))
