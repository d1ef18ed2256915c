(module
  (import "env" "memory" (memory 1))
  (func (export "f") (param i32) (result i32) local.get 0))
