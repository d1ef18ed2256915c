(module (func $s (call $s)) (start $s) (func (export "twice") (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1))))
