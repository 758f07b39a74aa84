//! A list in few bytes, for model files: sorted, front-coded and compressed.
//!
//! Words are in code-point order. Each has a byte that says how many bytes it shares with the word before it (255 at
//! most), the bytes that follow them, and a line feed. Counts are LEB128 numbers in the same order. Both are zlib streams, which
//! carry a checksum. The English list takes 2.7 bytes a word with its counts, a quarter of its text.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use super::letters::normalise;
use super::read::check_word;

/// Bytes that any list may take when it is unpacked.
const ALWAYS_ALLOWED: usize = 16 << 20;
/// Beyond that, times the packed bytes: memory must not run away from the file.
const MAX_TIMES: usize = 64;

/// Distinct words with their counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackedList {
    pub(crate) words: Vec<u8>,
    pub(crate) counts: Vec<u8>,
}

/// Why bytes are no packed list.
#[derive(Debug, Error)]
pub(crate) enum PackedError {
    #[error("its {0} cannot be unpacked")]
    Stream(&'static str),
    #[error("its {0} are longer than they may be")]
    TooLong(&'static str),
    #[error("it has {0}")]
    Word(&'static str),
    #[error("its words are not in order")]
    Order,
    #[error("it has not one count for each word")]
    Counts,
}

impl PackedList {
    /// Packs distinct words in normal form.
    pub(crate) fn pack(mut list: Vec<(&str, u64)>) -> Self {
        list.sort_unstable();
        let counts = list.iter().flat_map(|&(_, count)| leb128(count)).collect::<Vec<u8>>();
        let text: usize = list.iter().map(|(word, _)| word.len() + 1).sum();
        // A list of a regular kind may shrink so much that reading it back would be refused.
        let ways = [(255, Compression::best()), (255, Compression::none()), (0, Compression::none())];
        let mut words = Vec::new();
        for (max_shared, compression) in ways {
            words = compress(&front_coded(&list, max_shared), compression);
            if text <= allowed(words.len()) {
                break;
            }
        }
        let mut packed = compress(&counts, Compression::best());
        if counts.len() > allowed(packed.len()) {
            packed = compress(&counts, Compression::none());
        }
        Self { words, counts: packed }
    }

    /// The words with their counts, in code-point order.
    pub(crate) fn unpack(&self) -> Result<Vec<(Box<str>, u64)>, PackedError> {
        let words = unpack_words(&self.words)?;
        let counts = decompress(&self.counts, "counts")?;
        let mut rest = counts.as_slice();
        let list =
            words.into_iter().map(|word| Ok((word, next_leb128(&mut rest).ok_or(PackedError::Counts)?)));
        let list = list.collect::<Result<Vec<_>, _>>()?;
        if rest.is_empty() { Ok(list) } else { Err(PackedError::Counts) }
    }
}

/// Bytes that may come out of so many.
fn allowed(packed: usize) -> usize {
    ALWAYS_ALLOWED.max(packed.saturating_mul(MAX_TIMES))
}

fn front_coded(list: &[(&str, u64)], max_shared: u8) -> Vec<u8> {
    let (mut coded, mut previous) = (Vec::new(), &[][..]);
    for (word, _) in list {
        let word = word.as_bytes();
        let shared = word.iter().zip(previous).take(max_shared.into()).take_while(|(a, b)| a == b).count();
        coded.push(shared as u8);
        coded.extend_from_slice(&word[shared..]);
        coded.push(b'\n');
        previous = word;
    }
    coded
}

fn unpack_words(packed: &[u8]) -> Result<Vec<Box<str>>, PackedError> {
    let coded = decompress(packed, "words")?;
    let mut left = allowed(packed.len());
    let (mut words, mut word) = (Vec::new(), Vec::new());
    let mut rest = coded.as_slice();
    while let Some((&shared, tail)) = rest.split_first() {
        let end = memchr::memchr(b'\n', tail).ok_or(PackedError::Word("a word without an end"))?;
        let (ending, shared) = (&tail[..end], usize::from(shared));
        rest = &tail[end + 1..];
        let old = word.get(shared..).ok_or(PackedError::Word("a word that shares more than there is"))?;
        // Only the first word has nothing before it.
        if ending <= old && !words.is_empty() {
            return Err(PackedError::Order);
        }
        word.truncate(shared);
        word.extend_from_slice(ending);
        left = left.checked_sub(word.len() + 1).ok_or(PackedError::TooLong("words"))?;
        let text = std::str::from_utf8(&word).map_err(|_| PackedError::Word("a word that is not UTF-8"))?;
        if text.is_empty() || check_word(text).is_err() || normalise(text, false) != text {
            return Err(PackedError::Word("a word that no list has"));
        }
        words.push(text.into());
    }
    Ok(words)
}

fn compress(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), compression);
    // A vector takes every byte.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn decompress(packed: &[u8], what: &'static str) -> Result<Vec<u8>, PackedError> {
    let most = allowed(packed.len());
    let mut decoder = ZlibDecoder::new(packed);
    let mut bytes = Vec::new();
    let read = (&mut decoder).take(most as u64 + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) if bytes.len() > most => Err(PackedError::TooLong(what)),
        Ok(_) if decoder.total_in() == packed.len() as u64 => Ok(bytes),
        _ => Err(PackedError::Stream(what)),
    }
}

/// Seven bits in each byte, the lowest first; the highest bit says that more follow.
fn leb128(mut number: u64) -> impl Iterator<Item = u8> {
    let mut over = false;
    std::iter::from_fn(move || {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        let more = number > 0;
        (!std::mem::replace(&mut over, !more)).then_some(byte | u8::from(more) << 7)
    })
}

fn next_leb128(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        // The last of ten bytes has room for one bit.
        if bits.checked_shl(shift)? >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packed(words: &[u8], counts: &[u8]) -> PackedList {
        let compress = |bytes| compress(bytes, Compression::best());
        PackedList { words: compress(words), counts: compress(counts) }
    }

    fn refused(list: &PackedList) -> String {
        list.unpack().unwrap_err().to_string()
    }

    #[test]
    fn what_is_stored_is_what_the_page_says() {
        let list = PackedList::pack(vec![("wugs", 1), ("blick", 300), ("wug", 127)]);
        assert_eq!(decompress(&list.words, "words").unwrap(), b"\0blick\n\0wug\n\x03s\n");
        assert_eq!(decompress(&list.counts, "counts").unwrap(), [0xac, 0x02, 0x7f, 0x01]);
        let unpacked = list.unpack().unwrap();
        assert_eq!(unpacked, [("blick".into(), 300), ("wug".into(), 127), ("wugs".into(), 1)]);
        assert_eq!(PackedList::pack(Vec::new()).unpack().unwrap(), []);
    }

    #[test]
    fn forged_lists_are_refused() {
        assert!(packed(b"\0a\n\x01b\n", &[1, 1]).unpack().is_ok());
        for (words, reason) in [
            (&b"\0a"[..], "without an end"),
            (b"\x01a\n", "more than there is"),
            (b"\0a\n\x02b\n", "more than there is"),
            (b"\0b\n\0a\n", "order"),
            (b"\0a\n\0a\n", "order"),
            (b"\0a\n\x01\n", "order"),
            (b"\0\n", "no list has"),
            (b"\0a b\n", "no list has"),
            (b"\0a\x1b\n", "no list has"),
            (b"\0e\xcc\x81\n", "no list has"),
            (b"\0\xff\n", "UTF-8"),
        ] {
            assert!(refused(&packed(words, &[1, 1])).contains(reason), "{words:?}");
        }
        for counts in [&[][..], &[1], &[1, 1, 1], &[1, 0x80], &[1; 9], &[0xff; 20]] {
            assert!(refused(&packed(b"\0a\n\0b\n", counts)).contains("one count"), "{counts:?}");
        }
        let list = PackedList::pack(vec![("wug", 3), ("wugs", 300)]);
        for cut in 0..list.words.len() {
            assert!(PackedList { words: list.words[..cut].to_vec(), ..list.clone() }.unpack().is_err());
        }
        let longer = PackedList { words: [&list.words[..], b"x"].concat(), ..list };
        assert!(refused(&longer).contains("cannot be unpacked"));
    }

    #[test]
    fn a_list_that_swells_is_refused() {
        let long = packed(&vec![0; ALWAYS_ALLOWED + 1], &[]);
        assert!(long.words.len() < 20_000);
        assert!(refused(&long).contains("longer"));
        // Short endings on long words: little to inflate, much to write out.
        let mut words = [b"\0".as_slice(), "a".repeat(255).as_bytes(), b"\n"].concat();
        for number in 0..70_000_u32 {
            let [a, b, c] = [number / 1600, number / 40 % 40, number % 40].map(|digit| b'A' + digit as u8);
            words.extend([255, a, b, c, b'\n']);
        }
        assert!(refused(&packed(&words, &[])).contains("longer"));
    }

    #[test]
    fn a_list_that_shrinks_too_much_is_stored_plainly() {
        let words: Vec<String> = (0..2_600_000).map(|number| format!("{number:08}")).collect();
        let list: Vec<(&str, u64)> = words.iter().map(|word| (word.as_str(), 1)).collect();
        let unpacked = PackedList::pack(list).unpack().unwrap();
        assert_eq!((unpacked.len(), &*unpacked[2_599_999].0), (2_600_000, "02599999"));
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            list in proptest::collection::btree_map("[a-cé한Ж]{1,9}", any::<u64>(), 0..60),
        ) {
            let packed = PackedList::pack(list.iter().map(|(word, &count)| (word.as_str(), count)).collect());
            let expected: Vec<(Box<str>, u64)> =
                list.into_iter().map(|(word, count)| (word.into(), count)).collect();
            prop_assert_eq!(packed.unpack().unwrap(), expected);
        }

        #[test]
        fn any_bytes_give_a_list_or_an_error(words: Vec<u8>, counts: Vec<u8>) {
            let _ = packed(&words, &counts).unpack();
            let _ = PackedList { words, counts }.unpack();
        }
    }
}
