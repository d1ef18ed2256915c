;; Half of a number, by subtraction: as many turns as the input says.
(module (func (export "half") (param $n i32) (result i32) (local $half i32)
  (block $done
    (loop $again
      (br_if $done (i32.lt_u (local.get $n) (i32.const 2)))
      (local.set $n (i32.sub (local.get $n) (i32.const 2)))
      (local.set $half (i32.add (local.get $half) (i32.const 1)))
      (br $again)))
  (local.get $half)))
