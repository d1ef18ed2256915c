;; Without debug information. Twice the number, or a trap when it is not below ten.
(module
  (func (export "bound") (param $x i32) (result i32)
    (if (i32.ge_s (local.get $x) (i32.const 10))
      (then (unreachable)))
    (i32.mul (local.get $x) (i32.const 2))))
