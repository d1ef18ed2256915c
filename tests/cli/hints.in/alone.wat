(module (func (export "half") (param i32) (result i32) (i32.div_s (local.get 0) (i32.const 2))))
