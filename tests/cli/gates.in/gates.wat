(module
  (func (export "step") (param i32) (result i32) (i32.add (local.get 0) (i32.const 3)))
  (func (export "nothing") (param i32))
  (func (export "rare") (param i32) (result i32)
    (if (i32.rem_s (local.get 0) (i32.const 97)) (then unreachable))
    local.get 0)
  (func (export "count") (param $n i32) (result i32) (local $i i32)
    (block $end
      (loop $again
        (br_if $end (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (local.get $i)))
