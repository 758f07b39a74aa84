//! Models as bytes.

use std::collections::{BTreeMap, HashMap};

use safetensors::tensor::{Dtype, TensorView};

use super::{CELL_ORDER, EncodeError, FORMAT_VERSION, StoredList, TrainedModel, half};
use crate::model::Model;

/// How exactly a file has the numbers of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// As they are: 32 bits each.
    #[default]
    Single,
    /// In half the space: 16 bits each, three digits.
    Half,
}

impl TrainedModel {
    /// The content of a model file.
    ///
    /// # Errors
    /// When the header is too long to be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EncodeError> {
        self.to_bytes_in(Precision::Single)
    }

    /// The content of a model file with numbers of a given precision.
    ///
    /// # Errors
    /// When the header is too long to be written, or a number is too large for half precision.
    pub fn to_bytes_in(&self, precision: Precision) -> Result<Vec<u8>, EncodeError> {
        let letters: Vec<&str> = self.alphabet.letters().collect();
        let json = |text: serde_json::Result<String>| text.map_err(EncodeError::json);
        let metadata = HashMap::from([
            ("format".to_owned(), "wug".to_owned()),
            ("format_version".to_owned(), FORMAT_VERSION.to_string()),
            ("config".to_owned(), self.config.to_toml()),
            ("alphabet".to_owned(), json(serde_json::to_string(&letters))?),
            ("provenance".to_owned(), json(serde_json::to_string(&self.provenance))?),
            (CELL_ORDER.to_owned(), json(serde_json::to_string(&self.model.cell_order()))?),
        ]);
        let list = self.list.as_deref();
        match precision {
            Precision::Single => {
                tensors_to_bytes(&self.model, &[("", Numbers::Single(&self.parameters))], list, metadata)
            }
            Precision::Half => {
                let halves = half::encode(&self.parameters)
                    .ok_or_else(|| EncodeError("a parameter is too large for half precision".to_owned()))?;
                tensors_to_bytes(&self.model, &[("", Numbers::Half(&halves))], list, metadata)
            }
        }
    }
}

/// Numbers in the order of a model's parameters.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    Half(&'a [u16]),
    Single(&'a [f32]),
    Double(&'a [f64]),
}

/// Serialises sets of numbers that all have the shapes of a model's parameters, each with a prefix to its names, and a list.
pub(crate) fn tensors_to_bytes(
    model: &Model,
    sets: &[(&str, Numbers<'_>)],
    list: Option<&StoredList>,
    metadata: HashMap<String, String>,
) -> Result<Vec<u8>, EncodeError> {
    let encode = |error: safetensors::SafeTensorError| EncodeError(error.to_string());
    let mut views = Vec::new();
    for (prefix, numbers) in sets {
        for info in model.params().iter() {
            let shape = if info.is_vector { vec![info.rows] } else { vec![info.rows, info.cols] };
            let (kind, bytes): (_, &[u8]) = match numbers {
                Numbers::Half(numbers) => (Dtype::F16, bytemuck::cast_slice(&numbers[info.range()])),
                Numbers::Single(numbers) => (Dtype::F32, bytemuck::cast_slice(&numbers[info.range()])),
                Numbers::Double(numbers) => (Dtype::F64, bytemuck::cast_slice(&numbers[info.range()])),
            };
            let view = TensorView::new(kind, shape, bytes).map_err(encode)?;
            views.push((format!("{prefix}{}", info.name), view));
        }
    }
    for (name, bytes) in list.into_iter().flat_map(StoredList::tensors) {
        let view = TensorView::new(Dtype::U8, vec![bytes.len()], bytes).map_err(encode)?;
        views.push((name.to_owned(), view));
    }
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(encode)?;
    with_sorted_header(&bytes).ok_or_else(|| EncodeError("the header cannot be written".to_owned()))
}

/// The same file with the header's keys in order: equal models are to be equal files, byte by byte.
fn with_sorted_header(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: BTreeMap<String, BTreeMap<String, serde_json::Value>> =
        serde_json::from_slice(header).ok()?;
    let mut header = serde_json::to_vec(&header).ok()?;
    // Tensors begin at a multiple of eight.
    header.resize(header.len().next_multiple_of(8), b' ');
    Some([&(header.len() as u64).to_le_bytes(), header.as_slice(), data].concat())
}
