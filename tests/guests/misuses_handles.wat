;; Does with handles what its settings say: {"o":"l"} makes them without end, f(orged) drops one that it never had, d(ropped)
;; drops one twice, g(iven) uses one that it gave away, k(ind) uses one of another kind.
(module
  (import "hookbox:hook/config@0.1.0" "get" (func $config (param i32)))
  (import "wasi:http/types@0.2.0" "[constructor]fields" (func $fields (result i32)))
  (import "wasi:http/types@0.2.0" "[resource-drop]fields" (func $drop_fields (param i32)))
  (import "wasi:http/types@0.2.0" "[constructor]outgoing-request" (func $request (param i32) (result i32)))
  (import "wasi:http/types@0.2.0" "[method]outgoing-request.set-authority"
    (func $set_authority (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $fields (mut i32) (i32.const 0))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func $is (param $what i32) (result i32)
    (i32.eq (local.get $what) (i32.load8_u offset=6 (i32.load (i32.const 16)))))
  (func (export "handle") (param i32) (result i32)
    (call $config (i32.const 16))
    (if (call $is (i32.const 102)) (then (call $drop_fields (i32.const 7777))))
    (global.set $fields (call $fields))
    (if (call $is (i32.const 108)) (then (loop $more (drop (call $fields)) (br $more))))
    (if (call $is (i32.const 100)) (then
      (call $drop_fields (global.get $fields))
      (call $drop_fields (global.get $fields))))
    (if (call $is (i32.const 103)) (then
      (drop (call $request (global.get $fields)))
      (drop (call $request (global.get $fields)))))
    (if (call $is (i32.const 107)) (then
      (drop (call $set_authority (global.get $fields) (i32.const 0) (i32.const 0) (i32.const 0)))))
    (i32.const 1024)))
