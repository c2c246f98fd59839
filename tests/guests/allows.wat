;; Allows everything, asks for a rewrite, adds context and a notice, and wants to stop: all that an answer can hold.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "ok{\"command\":\"true\"}texts")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func $text (param $at i32) (param $from i32) (param $length i32)
    (i32.store (local.get $at) (local.get $from))
    (i32.store (i32.add (local.get $at) (i32.const 4)) (local.get $length)))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1028) (i32.const 1))  ;; verdict: allow
    (call $text (i32.const 1032) (i32.const 16) (i32.const 2))
    (call $text (i32.const 1040) (i32.const 36) (i32.const 5))
    (i32.store (i32.const 1048) (i32.const 1))  ;; rewrite: some
    (i32.store (i32.const 1052) (i32.const 0))  ;; replace
    (call $text (i32.const 1056) (i32.const 18) (i32.const 18))
    (i32.store (i32.const 1064) (i32.const 1))  ;; context
    (call $text (i32.const 1068) (i32.const 36) (i32.const 5))
    (i32.store (i32.const 1076) (i32.const 1))  ;; notice
    (call $text (i32.const 1080) (i32.const 36) (i32.const 5))
    (i32.store (i32.const 1088) (i32.const 1))  ;; stop
    (call $text (i32.const 1092) (i32.const 36) (i32.const 5))
    (i32.const 1024)))
