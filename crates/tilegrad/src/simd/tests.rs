//! Every primitive of every path against plain arithmetic, lane by lane.

use super::{Bits, Path, Simd, Single, Task};

/// Numbers of all kinds, as bits.
const WORDS: [u32; 16] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    1,
    0x0080_0000,
    0x4049_0fdb,
    0xc2f6_e979,
    0x7f7f_ffff,
    0x3eaa_aaab,
    0xdead_beef,
    0x1234_5678,
    0xffff_ffff,
];

/// All pairs of words, eight at a time.
fn pairs() -> impl Iterator<Item = ([u32; 8], [u32; 8])> {
    (0..32).map(|block| {
        let pair = |lane: usize| (8 * block + lane) % 256;
        (
            std::array::from_fn(|lane| WORDS[pair(lane) / 16]),
            std::array::from_fn(|lane| WORDS[(pair(lane) + 3 * lane) % 16]),
        )
    })
}

/// The same bits, or both NaN.
#[track_caller]
fn assert_lanes(what: &str, found: [u32; 8], expected: [f32; 8]) {
    for (lane, (found, expected)) in found.map(f32::from_bits).into_iter().zip(expected).enumerate() {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{what}, lane {lane}: {found:e} instead of {expected:e}");
    }
}

struct Numbers(Path);

impl Task<f32> for Numbers {
    type Output = ();

    fn run<S: Simd<Element = f32>>(self) {
        let path = self.0;
        for (a, b) in pairs() {
            let (x, y) = (a.map(f32::from_bits), b.map(f32::from_bits));
            let (v, w): (S::Noise, S::Noise) = (bytemuck::cast(a), bytemuck::cast(b));
            let each = |function: &dyn Fn(f32, f32) -> f32| -> [f32; 8] {
                std::array::from_fn(|lane| function(x[lane], y[lane]))
            };
            let check = |what: &str, found: S::Noise, function: &dyn Fn(f32, f32) -> f32| {
                assert_lanes(&format!("{path}: {what}"), bytemuck::cast(found), each(function));
            };
            check("add", v + w, &|x, y| x + y);
            check("subtract", v - w, &|x, y| x - y);
            check("multiply", v * w, &|x, y| x * y);
            check("divide", v / w, &|x, y| x / y);
            check("negate", -v, &|x, _| -x);
            check("absolute", v.abs(), &|x, _| x.abs());
            check("root", v.sqrt(), &|x, _| x.sqrt());
            check("maximum", v.max(w), &|x, y| if y > x { y } else { x });
            check("minimum", v.min(w), &|x, y| if y < x { y } else { x });
            let third = S::Noise::splat(0.1);
            let fused = path.fuses();
            check("multiply-add", v.mul_add(w, third), &|x, y| {
                if fused { x.mul_add(y, 0.1) } else { x * y + 0.1 }
            });
            check("less", S::Noise::from_bits(v.less(w)), &|x, y| {
                f32::from_bits(if x < y { u32::MAX } else { 0 })
            });
            check("choose", S::Noise::choose(v.less(w), v, w), &|x, y| if x < y { x } else { y });
            check("from integers", S::Noise::from_integers(v.to_bits()), &|x, _| x.to_bits() as i32 as f32);
            let numbers: [f32; 8] = std::array::from_fn(|lane| (a[lane] >> 9) as f32 * 0.37);
            let [c, d, e, f, g, h, i, j] = numbers;
            let sum = ((c + g) + (e + i)) + ((d + h) + (f + j));
            assert_eq!(bytemuck::cast::<_, S::Noise>(numbers).sum(), sum, "{path}: sum");
        }
        let rows: [[f32; 8]; 8] =
            std::array::from_fn(|row| std::array::from_fn(|lane| (8 * row + lane) as f32));
        let columns = S::Noise::transpose(rows.map(bytemuck::cast)).map(bytemuck::cast::<_, [f32; 8]>);
        for row in 0..8 {
            assert_eq!(columns[row], std::array::from_fn(|lane| rows[lane][row]), "{path}: transpose");
        }
    }
}

struct Words(Path);

impl Task<f32> for Words {
    type Output = ();

    fn run<S: Simd<Element = f32>>(self) {
        let path = self.0;
        for (a, b) in pairs() {
            let cast = |words: [u32; 8]| -> <S::Noise as Single>::Bits { bytemuck::cast(words) };
            let (v, w) = (cast(a), cast(b));
            let check = |what: &str, found: <S::Noise as Single>::Bits, expected: &dyn Fn(usize) -> u32| {
                let found: [u32; 8] = bytemuck::cast(found);
                assert_eq!(found, std::array::from_fn(expected), "{path}: {what}");
            };
            check("splat", Bits::splat(a[3]), &|_| a[3]);
            check("add", v + w, &|i| a[i].wrapping_add(b[i]));
            check("subtract", v - w, &|i| a[i].wrapping_sub(b[i]));
            check("and", v & w, &|i| a[i] & b[i]);
            check("or", v | w, &|i| a[i] | b[i]);
            check("exclusive or", v ^ w, &|i| a[i] ^ b[i]);
            check("left", v.shift_left::<23>(), &|i| a[i] << 23);
            check("right", v.shift_right::<9>(), &|i| a[i] >> 9);
            check("sign", v.shift_sign::<31>(), &|i| ((a[i] as i32) >> 31) as u32);
            check("greater", v.greater(w), &|i| if a[i] as i32 > b[i] as i32 { u32::MAX } else { 0 });
            assert_eq!(v.greater(w).any(), (0..8).any(|i| a[i] as i32 > b[i] as i32), "{path}: any");
            check("products", v.even_products(w), &|i| {
                let product = u64::from(a[i & !1]) * u64::from(b[i & !1]);
                if i % 2 == 0 { product as u32 } else { (product >> 32) as u32 }
            });
            check("interleave", Bits::interleave(v.odd(), w), &|i| {
                if i % 2 == 0 { a[i + 1] } else { b[i - 1] }
            });
        }
    }
}

#[test]
fn every_primitive_on_every_path() {
    for path in Path::available() {
        path.run(Numbers(path));
        path.run(Words(path));
    }
}

#[test]
fn paths_have_names() {
    let paths = Path::available();
    assert!(paths.contains(&Path::named("plain").unwrap()));
    for &path in &paths {
        assert_eq!(Path::named(path.name()), Ok(path));
    }
    let error = Path::named("mmx").unwrap_err().to_string();
    assert!(
        error.starts_with("WUG_SIMD is \"mmx\", but this program on this processor can use: "),
        "{error}"
    );
    assert!(error.ends_with("plain"), "{error}");
    assert!(paths.contains(&Path::current()));
}
