;; Of version 0.2.0. Asks for the facts about the command line, twice: logs `-` if there are none, otherwise `0` and the language, the
;; program of each command, each host, and `0` and the reason of each undetermined part with its text. No opinion.
(module
  (import "hookbox:hook/log@0.2.0" "write" (func $write (param i32 i32 i32)))
  (import "hookbox:hook/facts@0.2.0" "shell" (func $shell (param i32)))
  (memory (export "memory") 4)
  (data (i32.const 0) "-")
  (global $free (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $place i32)
    (local.set $place (global.get $free))
    (global.set $free
      (i32.and (i32.add (i32.add (local.get $place) (local.get 3)) (i32.const 7)) (i32.const -8)))
    (local.get $place))
  (func $say (param i32 i32) (call $write (i32.const 2) (local.get 0) (local.get 1)))
  ;; A text that lies there.
  (func $tell (param $place i32) (call $say (i32.load (local.get $place)) (i32.load offset=4 (local.get $place))))
  ;; A number below ten.
  (func $count (param $number i32)
    (i32.store8 (i32.const 32) (i32.add (i32.const 48) (local.get $number)))
    (call $say (i32.const 32) (i32.const 1)))
  ;; The text at the beginning of each item of the list at this place; `size` is that of an item.
  (func $tell_each (param $list i32) (param $size i32) (local $item i32) (local $left i32)
    (local.set $item (i32.load (local.get $list)))
    (local.set $left (i32.load offset=4 (local.get $list)))
    (loop $next
      (if (local.get $left)
        (then
          (call $tell (local.get $item))
          (local.set $item (i32.add (local.get $item) (local.get $size)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br $next)))))
  ;; The undetermined parts in the list at this place.
  (func $tell_unknown (param $list i32) (local $item i32) (local $left i32)
    (local.set $item (i32.load (local.get $list)))
    (local.set $left (i32.load offset=4 (local.get $list)))
    (loop $next
      (if (local.get $left)
        (then
          (call $count (i32.load8_u (local.get $item)))
          (call $tell (i32.add (local.get $item) (i32.const 4)))
          (local.set $item (i32.add (local.get $item) (i32.const 12)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br $next)))))
  (func (export "handle") (param i32) (result i32)
    (call $shell (i32.const 64))
    (call $shell (i32.const 64))
    (if (i32.load8_u (i32.const 64))
      (then
        (call $count (i32.load8_u (i32.const 68)))
        (call $tell_each (i32.const 72) (i32.const 64))
        (call $tell_each (i32.const 88) (i32.const 20))
        (call $tell_unknown (i32.const 96)))
      (else (call $say (i32.const 0) (i32.const 1))))
    (i32.const 1024)))
