(module
  (func (export "idi") (param i32) (result i32) (local.get 0))
  (func (export "idg") (param f32) (result f32) (local.get 0))
  (func (export "bits") (param f64) (result i64) (i64.reinterpret_f64 (local.get 0)))
  (func (export "sign") (param f64) (result i32)
    (i32.wrap_i64 (i64.shr_u (i64.reinterpret_f64 (local.get 0)) (i64.const 63)))))
