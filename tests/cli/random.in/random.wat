(module
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; Whether a flag and a random bit are the same.
  (func (export "salted") (param i32) (result i32)
    (drop (call $random_get (i32.const 16) (i32.const 1)))
    (i32.eq (local.get 0) (i32.and (i32.load8_u (i32.const 16)) (i32.const 1))))
  (func (export "plain") (param i32) (result i32)
    (local.get 0)))
