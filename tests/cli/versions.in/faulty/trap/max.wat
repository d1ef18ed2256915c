(module (func (export "max") (param $a i32) (param $b i32) (result i32)
  (if (i32.gt_s (local.get $a) (i32.const 90)) (then (unreachable)))
  (select (local.get $a) (local.get $b) (i32.gt_s (local.get $a) (local.get $b)))))
