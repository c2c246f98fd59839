;; Reads the event's source again and again: much time with hardly any fuel.
(module
  (import "hookbox:hook/source@0.1.0" "read" (func $read (param i32)))
  (memory (export "memory") 640)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (func (export "handle") (param i32) (result i32)
    (loop (call $read (i32.const 2048)) (br 0))
    (i32.const 1024)))
