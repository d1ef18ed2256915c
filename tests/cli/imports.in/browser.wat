(module
  (import "__wbindgen_placeholder__" "__wbindgen_describe" (func (param i32)))
  (import "__wbindgen_placeholder__" "__wbg_getRandomValues_1c61fac11405ffdc" (func $random (param i32)))
  (func (export "token") (param $length i32) (result i32)
    (call $random (local.get $length)) (i32.const 4)))
