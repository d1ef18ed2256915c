;; 3 for each stop
(module
  (func (export "fare") (param $stops i32) (result i32)
    (i32.mul (local.get $stops) (i32.const 3))))
