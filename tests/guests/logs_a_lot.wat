;; Logs 500 lines, the first with an escape sequence, and answers.
(module
  (import "hookbox:hook/log@0.1.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "\1b[31mred")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32) (local $left i32)
    (local.set $left (i32.const 500))
    (loop $more
      (call $write (i32.const 3) (i32.const 16) (i32.const 8))
      (br_if $more (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (i32.const 1024)))
