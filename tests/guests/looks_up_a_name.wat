;; Looks up `localhost`. Logs the place of the error in `error-code` as a letter from `a`, or `.` for none. No opinion.
(module
  (import "hookbox:hook/log@0.1.0" "write" (func $log (param i32 i32 i32)))
  (import "wasi:sockets/instance-network@0.2.0" "instance-network" (func $network (result i32)))
  (import "wasi:sockets/ip-name-lookup@0.2.0" "resolve-addresses" (func $look_up (param i32 i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 256) "localhost")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (call $look_up (call $network) (i32.const 256) (i32.const 9) (i32.const 64))
    (i32.store8 (i32.const 128) (select
      (i32.add (i32.const 97) (i32.load8_u (i32.const 68))) (i32.const 46) (i32.load8_u (i32.const 64))))
    (call $log (i32.const 2) (i32.const 128) (i32.const 1))
    (i32.const 1024)))
