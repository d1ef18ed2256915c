(module
  ;; Figure 1: while (i <= 2) { if (x <= 4) x = x + 1; else x = x + 2; i = i + 1; } return x; with x < 4 and x > 4 in its mutants.
  (func (export "fun") (param $x i32) (param $i i32) (result i32)
    (block $out
      (loop $again
        (br_if $out (i32.gt_s (local.get $i) (i32.const 2)))
        (if (i32.le_s (local.get $x) (i32.const 4))
          (then (local.set $x (i32.add (local.get $x) (i32.const 1))))
          (else (local.set $x (i32.add (local.get $x) (i32.const 2)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (local.get $x))
  (func (export "fun1") (param $x i32) (param $i i32) (result i32)
    (block $out
      (loop $again
        (br_if $out (i32.gt_s (local.get $i) (i32.const 2)))
        (if (i32.lt_s (local.get $x) (i32.const 4))
          (then (local.set $x (i32.add (local.get $x) (i32.const 1))))
          (else (local.set $x (i32.add (local.get $x) (i32.const 2)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (local.get $x))
  (func (export "fun2") (param $x i32) (param $i i32) (result i32)
    (block $out
      (loop $again
        (br_if $out (i32.gt_s (local.get $i) (i32.const 2)))
        (if (i32.gt_s (local.get $x) (i32.const 4))
          (then (local.set $x (i32.add (local.get $x) (i32.const 1))))
          (else (local.set $x (i32.add (local.get $x) (i32.const 2)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (local.get $x))
  ;; Figure 2: x = x + 1; if (x == 5 || x == 7) x = 9; else x = 6; return x; with x - 1 and x + 2 in its mutants.
  (func (export "comp") (param $x i32) (result i32)
    (local.set $x (i32.add (local.get $x) (i32.const 1)))
    (if (result i32) (i32.or (i32.eq (local.get $x) (i32.const 5)) (i32.eq (local.get $x) (i32.const 7)))
      (then (i32.const 9))
      (else (i32.const 6))))
  (func (export "comp1") (param $x i32) (result i32)
    (local.set $x (i32.add (local.get $x) (i32.const -1)))
    (if (result i32) (i32.or (i32.eq (local.get $x) (i32.const 5)) (i32.eq (local.get $x) (i32.const 7)))
      (then (i32.const 9))
      (else (i32.const 6))))
  (func (export "comp2") (param $x i32) (result i32)
    (local.set $x (i32.add (local.get $x) (i32.const 2)))
    (if (result i32) (i32.or (i32.eq (local.get $x) (i32.const 5)) (i32.eq (local.get $x) (i32.const 7)))
      (then (i32.const 9))
      (else (i32.const 6))))
)
