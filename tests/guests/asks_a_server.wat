;; Sends GET http://SERVER PATH with one header, as its settings say: {"name":"…","path":"…","server":"…","value":"…"}, in
;; this order and without spaces or escapes; DEL stands for a line break. Logs the status; `e` and a number if there is none (the error's place in
;; `error-code`), `p` if the path is none, `h` and a number if the header is none. No opinion.
(module
  (import "hookbox:hook/config@0.1.0" "get" (func $config (param i32)))
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (import "wasi:http/types@0.2.0" "[constructor]fields" (func $fields (result i32)))
  (import "wasi:http/types@0.2.0" "[method]fields.append" (func $append (param i32 i32 i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.0" "[constructor]outgoing-request" (func $request (param i32) (result i32)))
  (import "wasi:http/types@0.2.0" "[method]outgoing-request.set-scheme"
    (func $set_scheme (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi:http/types@0.2.0" "[method]outgoing-request.set-authority"
    (func $set_authority (param i32 i32 i32 i32) (result i32)))
  (import "wasi:http/types@0.2.0" "[method]outgoing-request.set-path-with-query"
    (func $set_path (param i32 i32 i32 i32) (result i32)))
  (import "wasi:http/outgoing-handler@0.2.0" "handle" (func $send (param i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.0" "[method]future-incoming-response.subscribe" (func $subscribe (param i32) (result i32)))
  (import "wasi:io/poll@0.2.0" "[method]pollable.block" (func $block (param i32)))
  (import "wasi:io/poll@0.2.0" "[resource-drop]pollable" (func $drop_pollable (param i32)))
  (import "wasi:http/types@0.2.0" "[method]future-incoming-response.get" (func $get (param i32 i32)))
  (import "wasi:http/types@0.2.0" "[method]incoming-response.status" (func $status (param i32) (result i32)))
  (memory (export "memory") 4)
  (global $free (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (global.get $free))
    (global.set $free
      (i32.and (i32.add (i32.add (local.get $at) (local.get 3)) (i32.const 7)) (i32.const -8)))
    (local.get $at))
  ;; The place behind the quotation mark of this number, from 1.
  (func $quote (param $number i32) (result i32) (local $at i32)
    (local.set $at (i32.load (i32.const 16)))
    (loop $next
      (local.set $number
        (i32.sub (local.get $number) (i32.eq (i32.load8_u (local.get $at)) (i32.const 34))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (local.get $number)))
    (local.get $at))
  ;; The length of the text that ends at the quotation mark of this number.
  (func $length (param $number i32) (result i32)
    (i32.sub (i32.sub (call $quote (local.get $number)) (i32.const 1))
      (call $quote (i32.sub (local.get $number) (i32.const 1)))))
  ;; Logs a letter, if it is one, and a number.
  (func $tell (param $letter i32) (param $left i32) (local $at i32)
    (local.set $at (i32.const 512))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $left) (i32.const 10))))
      (br_if $digit (local.tee $left (i32.div_u (local.get $left) (i32.const 10)))))
    (if (local.get $letter) (then
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (local.get $letter))))
    (call $write (i32.const 2) (local.get $at) (i32.sub (i32.const 512) (local.get $at))))
  (func $ask (local $headers i32) (local $request i32) (local $future i32) (local $wait i32) (local $at i32)
    (call $config (i32.const 16))
    (local.set $at (i32.load (i32.const 16)))
    (loop $next
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 127)) (then
        (i32.store8 (local.get $at) (i32.const 10))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1)))
        (i32.add (i32.load (i32.const 16)) (i32.load (i32.const 20))))))
    (local.set $headers (call $fields))
    (call $append (local.get $headers) (call $quote (i32.const 3)) (call $length (i32.const 4))
      (call $quote (i32.const 15)) (call $length (i32.const 16)) (i32.const 32))
    (if (i32.load8_u (i32.const 32)) (then
      (call $tell (i32.const 104) (i32.load8_u (i32.const 33)))))
    (local.set $request (call $request (local.get $headers)))
    (drop (call $set_scheme (local.get $request) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)))
    (drop (call $set_authority (local.get $request) (i32.const 1)
      (call $quote (i32.const 11)) (call $length (i32.const 12))))
    (if (call $set_path (local.get $request) (i32.const 1) (call $quote (i32.const 7)) (call $length (i32.const 8)))
      (then (call $tell (i32.const 112) (i32.const 0)) (return)))
    (call $send (local.get $request) (i32.const 0) (i32.const 0) (i32.const 64))
    (if (i32.load8_u (i32.const 64)) (then
      (call $tell (i32.const 101) (i32.load8_u (i32.const 72))) (return)))
    (local.set $future (i32.load (i32.const 72)))
    (local.set $wait (call $subscribe (local.get $future)))
    (call $block (local.get $wait))
    (call $drop_pollable (local.get $wait))
    (call $get (local.get $future) (i32.const 128))
    (if (i32.load8_u (i32.const 144)) (then
      (call $tell (i32.const 101) (i32.load8_u (i32.const 152))) (return)))
    (call $tell (i32.const 0) (call $status (i32.load (i32.const 152)))))
  (func (export "handle") (param i32) (result i32)
    (call $ask)
    (i32.const 1024)))
