;; Answers, and never lets go of its answer.
(module
  (memory (export "memory") 1)
  (func (export "cabi_post_handle") (param i32) (loop (br 0)))
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (i32.const 1024)))
