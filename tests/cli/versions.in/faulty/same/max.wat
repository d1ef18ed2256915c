(module (func (export "max") (param $a i32) (param $b i32) (result i32)
  (select (local.get $b) (local.get $a) (i32.lt_s (local.get $a) (local.get $b)))))
