;; Denies everything with the code `no` and the text `because`.
(module
  (memory (export "memory") 1)
  (data (i32.const 16) "nobecause")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.store (i32.const 1028) (i32.const 3))  ;; verdict: deny
    (i32.store (i32.const 1032) (i32.const 16)) (i32.store (i32.const 1036) (i32.const 2))
    (i32.store (i32.const 1040) (i32.const 18)) (i32.store (i32.const 1044) (i32.const 7))
    (i32.const 1024)))
