(module
  ;; Euclid's algorithm on non-negative numbers.
  (func $gcd (export "gcd") (param $a i32) (param $b i32) (result i32)
    (local $t i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $b)))
        (local.set $t (i32.rem_u (local.get $a) (local.get $b)))
        (local.set $a (local.get $b))
        (local.set $b (local.get $t))
        (br $next)))
    local.get $a)
  ;; The same with a fault: it stops one step early when the remainder is 1.
  (func $hasty (export "hasty") (param $a i32) (param $b i32) (result i32)
    (local $t i32)
    (block $done
      (loop $next
        (br_if $done (i32.le_u (local.get $b) (i32.const 1)))
        (local.set $t (i32.rem_u (local.get $a) (local.get $b)))
        (local.set $a (local.get $b))
        (local.set $b (local.get $t))
        (br $next)))
    local.get $a))
