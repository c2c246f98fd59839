;; A component of another world: exports `f` and nothing else.
(component
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f")))
  (export "f" (func $f)))
