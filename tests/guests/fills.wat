;; Burns time with little fuel of its own: fills all its memory again and again.
(module
  (memory (export "memory") 512)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 4096))
  (func (export "handle") (param i32) (result i32)
    (loop (memory.fill (i32.const 8192) (i32.const 1) (i32.const 33546240)) (br 0))
    (unreachable)))
