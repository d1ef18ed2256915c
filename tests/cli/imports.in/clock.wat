(module
  (import "env" "now" (func $now (result i64)))
  (func (export "hours") (param $seconds i32) (result i32)
    ;; Negative seconds count from now.
    (if (i32.lt_s (local.get $seconds) (i32.const 0)) (then (drop (call $now))))
    (i32.div_u (local.get $seconds) (i32.const 3600))))
