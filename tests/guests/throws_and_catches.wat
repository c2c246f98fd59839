;; Denies with what it throws from 100 calls deep, and catches: needs `exceptions`.
(module
  (tag $no (param i32 i32))
  (memory (export "memory") 1)
  (data (i32.const 16) "nobecause")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func $deep (param $left i32)
    (if (i32.eqz (local.get $left)) (then (throw $no (i32.const 18) (i32.const 7))))
    (call $deep (i32.sub (local.get $left) (i32.const 1))))
  (func (export "handle") (param i32) (result i32) (local $at i32) (local $length i32)
    (block $caught (result i32 i32)
      (try_table (catch $no $caught) (call $deep (i32.const 100)))
      (unreachable))
    (local.set $length) (local.set $at)
    (i32.store (i32.const 1028) (i32.const 3))  ;; verdict: deny
    (i32.store (i32.const 1032) (i32.const 16)) (i32.store (i32.const 1036) (i32.const 2))
    (i32.store (i32.const 1040) (local.get $at)) (i32.store (i32.const 1044) (local.get $length))
    (i32.const 1024)))
