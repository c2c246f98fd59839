;; Imports an interface that hookbox does not have.
(component
  (import "wasi:keyvalue/store@0.2.0" (instance (export "open" (func))))
  (core module $m (func (export "f")))
  (core instance $i (instantiate $m))
  (func $f (canon lift (core func $i "f")))
  (export "f" (func $f)))
