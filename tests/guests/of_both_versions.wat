;; Of both versions at once, as a component that was put together from parts: settings of 0.1.0, JSON of 0.2.0, and a line in the log of
;; each. Logs the text at `/a` of its settings. No opinion.
(module
  (import "hookbox:hook/config@0.1.0" "get" (func $config (param i32)))
  (import "hookbox:hook/log@0.1.0" "write" (func $write_old (param i32 i32 i32)))
  (import "hookbox:hook/log@0.2.0" "write" (func $write_new (param i32 i32 i32)))
  (import "hookbox:hook/json@0.2.0" "text-at" (func $text_at (param i32 i32 i32 i32 i32)))
  (memory (export "memory") 4)
  (data (i32.const 0) "/a")
  (global $free (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $place i32)
    (local.set $place (global.get $free))
    (global.set $free
      (i32.and (i32.add (i32.add (local.get $place) (local.get 3)) (i32.const 7)) (i32.const -8)))
    (local.get $place))
  (func (export "handle") (param i32) (result i32)
    (call $config (i32.const 64))
    (call $text_at (i32.load (i32.const 64)) (i32.load (i32.const 68)) (i32.const 0) (i32.const 2) (i32.const 80))
    (call $write_old (i32.const 2) (i32.load (i32.const 84)) (i32.load (i32.const 88)))
    (call $write_new (i32.const 3) (i32.load (i32.const 84)) (i32.load (i32.const 88)))
    (i32.const 1024)))
