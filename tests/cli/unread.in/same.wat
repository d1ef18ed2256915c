(module (func (export "same") (param i32) (result i32) (local.get 0)))
