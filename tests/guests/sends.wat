;; Of version 0.2.0. Sends GET to the URL that its settings say, `{"url":"…"}`, with the header `x-a: b`. Logs the status as two
;; characters of its base 32 digits from `0`, and the body; or the number of the error's case and its text. No opinion.
(module
  (import "hookbox:hook/config@0.2.0" "get" (func $config (param i32)))
  (import "hookbox:hook/log@0.2.0" "write" (func $write (param i32 i32 i32)))
  (import "hookbox:hook/json@0.2.0" "text-at" (func $text_at (param i32 i32 i32 i32 i32)))
  (import "hookbox:hook/http@0.2.0" "send" (func $send (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 4)
  (data (i32.const 0) "GET/urlx-ab")
  ;; The headers: one, "x-a" and "b".
  (data (i32.const 32) "\07\00\00\00\03\00\00\00\0a\00\00\00\01\00\00\00")
  (global $free (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (global.get $free))
    (global.set $free
      (i32.and (i32.add (i32.add (local.get $at) (local.get 3)) (i32.const 7)) (i32.const -8)))
    (local.get $at))
  (func (export "handle") (param i32) (result i32)
    (call $config (i32.const 64))
    (call $text_at (i32.load (i32.const 64)) (i32.load (i32.const 68)) (i32.const 3) (i32.const 4) (i32.const 80))
    (if (i32.eqz (i32.load8_u (i32.const 80))) (then (unreachable)))
    (call $send (i32.const 0) (i32.const 3) (i32.load (i32.const 84)) (i32.load (i32.const 88))
      (i32.const 32) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 96))
    (if (i32.load8_u (i32.const 96))
      (then
        (i32.store8 (i32.const 128) (i32.add (i32.const 48) (i32.load8_u (i32.const 100))))
        (call $write (i32.const 2) (i32.const 128) (i32.const 1))
        ;; The third case has no text.
        (if (i32.ne (i32.load8_u (i32.const 100)) (i32.const 3)) (then
          (call $write (i32.const 2) (i32.load (i32.const 104)) (i32.load (i32.const 108))))))
      (else
        (i32.store8 (i32.const 128) (i32.add (i32.const 48) (i32.shr_u (i32.load16_u (i32.const 100)) (i32.const 5))))
        (i32.store8 (i32.const 129) (i32.add (i32.const 48) (i32.and (i32.load16_u (i32.const 100)) (i32.const 31))))
        (call $write (i32.const 2) (i32.const 128) (i32.const 2))
        (call $write (i32.const 2) (i32.load (i32.const 112)) (i32.load (i32.const 116)))))
    (i32.const 1024)))
