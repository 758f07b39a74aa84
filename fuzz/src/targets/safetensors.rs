//! Files with a header that can be told apart from their numbers.

/// The most bytes of made-up numbers.
const MAX_DATA: usize = 1 << 16;

/// The file that an input means. An input that begins with `{` is a header alone: its length is put before it, and as many small
/// numbers behind it as it asks for, so that mutations of the header do not end at its length. Anything else is a whole file.
pub fn file_of(bytes: &[u8]) -> Vec<u8> {
    if bytes.first() != Some(&b'{') {
        return bytes.to_vec();
    }
    let end = |tensor: &serde_json::Value| tensor["data_offsets"][1].as_u64().unwrap_or(0);
    let length = match serde_json::from_slice::<serde_json::Value>(bytes) {
        Ok(serde_json::Value::Object(tensors)) => tensors.values().map(end).max().unwrap_or(0),
        _ => 0,
    };
    let length = usize::try_from(length).unwrap_or(MAX_DATA).min(MAX_DATA);
    // About 0.04 in single precision, and finite in double precision.
    let data: Vec<u8> = [0, 0, 0x20, 0x3d].into_iter().cycle().take(length).collect();
    [&(bytes.len() as u64).to_le_bytes(), bytes, &data].concat()
}
