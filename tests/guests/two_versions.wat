;; Imports an interface of hookbox twice, by two versions that go together, and exports nothing.
(component
  (import "hookbox:hook/log@0.1.0" (instance))
  (import "hookbox:hook/log@0.1.7" (instance)))
