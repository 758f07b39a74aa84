//! What the inference model reads.

use super::{Claim, Evidence, Rule, difference};
use crate::Summary;

pub(super) fn bidi(summary: &Summary<'_>) -> Claim {
    let mut evidence = Evidence::default();
    let gain = difference(summary, "2xtril-k10", "2xtril-k10-bidi");
    evidence.add("H(2×tril, K = 10) − H(the same, bidi)", gain, Rule::WITHIN_MARGIN);
    let rule = "reading the word in both directions gains no more than 0.1 nats per word";
    let remark = "What has been read before t reaches q through h_{t−1} already.";
    evidence.into_claim("A bidirectional inference model adds nothing.", rule, Some(remark))
}
