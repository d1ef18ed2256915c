(module (memory 1) (func $s (loop (drop (memory.grow (i32.const 100))) (br 0))) (start $s) (func (export "twice") (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1))))
