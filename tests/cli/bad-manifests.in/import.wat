(module
  (import "env" "now" (func $now (result i32)))
  (func (export "f") (param i32) (result i32) call $now))
