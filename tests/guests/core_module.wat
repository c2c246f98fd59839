;; A core module that nobody made a component of.
(module $core (func (export "handle")))
