;; Asks for its settings and the event's source, again and again.
(module
  (import "hookbox:hook/config@0.1.0" "get" (func $get (param i32)))
  (import "hookbox:hook/source@0.1.0" "read" (func $read (param i32)))
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (loop (call $get (i32.const 2048)) (call $read (i32.const 2048)) (br 0))
    (i32.const 1024)))
