(module
  ;; 0 for members, 5 for children, 10 for others.
  (func (export "fee") (param $age i32) (param $member i32) (result i32)
    (if (local.get $member) (then (return (i32.const 0))))
    (if (i32.lt_s (local.get $age) (i32.const 18)) (then (return (i32.const 5))))
    (i32.const 10)))
