//! The door to JavaScript: four functions on numbers, and one that JavaScript provides.
//!
//! JavaScript asks for room with `reserve`, writes the request there (JSON, then bytes), and calls `answer`. Then it reads the
//! JSON and the bytes of the answer at the addresses that `answer_part` gives. Buffers belong to this side and live until the next call.

use std::cell::RefCell;

use crate::{Answer, Failure, Session};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes JSON: results on the way, or the text of a panic.
    safe fn tell(start: *const u8, length: usize);
}

fn tell_json(json: &serde_json::Value) {
    let text = json.to_string();
    tell(text.as_ptr(), text.len());
}

/// Makes room for a request and returns where.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        // A large file's room is not kept for ever.
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Answers the request, whose first `json_length` bytes are JSON. Returns whether it went well.
#[unsafe(no_mangle)]
extern "C" fn answer(json_length: usize) -> bool {
    std::panic::set_hook(Box::new(|panic| tell_json(&serde_json::json!({ "panic": panic.to_string() }))));
    let input = INPUT.take();
    let (json, bytes) = input.split_at_checked(json_length).unwrap_or((&input, &[]));
    let result = SESSION.with_borrow_mut(|session| session.answer(json, bytes, &mut tell_json));
    let (good, Answer { json, bytes }) = match result {
        Ok(answer) => (true, answer),
        Err(Failure(text)) => (false, Answer::of(serde_json::json!({ "error": text }))),
    };
    ANSWER.set((json.to_string().into_bytes(), bytes));
    good
}

/// Where a part of the answer begins: 0 for the JSON, 1 for the bytes.
#[unsafe(no_mangle)]
extern "C" fn answer_part(part: usize) -> *const u8 {
    ANSWER.with_borrow(|(json, bytes)| if part == 0 { json.as_ptr() } else { bytes.as_ptr() })
}

/// How long a part of the answer is.
#[unsafe(no_mangle)]
extern "C" fn answer_length(part: usize) -> usize {
    ANSWER.with_borrow(|(json, bytes)| if part == 0 { json.len() } else { bytes.len() })
}
