//! Whatever bytes a user names as a module: an error or a module, never a panic, and what the module
//! says of itself is consistent.
#![no_main]

use dodona_subject::{CodePoint, Module, draft};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(module) = Module::parse(bytes.to_vec()) else { return };
    let debug = module.debug_info();
    for function in 0..module.function_count().min(64) {
        let _ = module.function_name(function);
        for (instruction, (_, offset)) in module.operators(function).iter().enumerate().take(256) {
            let point = CodePoint { function, instruction: instruction as u32 };
            assert_eq!(module.code_point_at(*offset), Some(point));
        }
        if let Some(debug) = &debug {
            let _ = debug.subprogram(&module, function);
            let _ = debug.location(&module, CodePoint { function, instruction: 0 });
        }
    }
    let _ = module.stack_pointer();
    let _ = draft(&module, "m", "m.wasm");
});
