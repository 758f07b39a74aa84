#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wug_fuzz::targets::noise::run(bytes));
