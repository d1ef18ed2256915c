(module (func (export "min") (param i32 i32) (result i32) (local.get 0)))
