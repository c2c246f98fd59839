;; Calls itself without end, with a catch in each call that never comes to anything: needs `exceptions`.
(module
  (tag $no)
  (memory (export "memory") 1)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func $deep (result i32)
    (block $caught
      (return (i32.add (i32.const 1) (try_table (result i32) (catch_all $caught) (call $deep)))))
    (i32.const 0))
  (func (export "handle") (param i32) (result i32) (call $deep)))
