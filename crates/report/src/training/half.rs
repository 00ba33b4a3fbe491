//! Numbers of 16 bits, as NumPy's `float16` has them.

/// The nearest number of 16 bits, the even one of two; infinite beyond 65,519.
pub(super) fn half(value: f32) -> [u8; 2] {
    let bits = value.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32;
    let fraction = bits & 0x007f_ffff;
    let magnitude = match exponent - 127 {
        _ if value.is_nan() => 0x7e00,
        16.. => 0x7c00,
        // Rounding may carry into the exponent, and up to infinity.
        power @ -14..=15 => rounded((power + 15) as u32 * 0x0080_0000 + fraction, 13),
        // Numbers below 2⁻¹⁴ are multiples of 2⁻²⁴.
        power @ -25..=-15 => rounded(fraction | 0x0080_0000, (-1 - power) as u32),
        _ => 0,
    };
    (sign | magnitude as u16).to_le_bytes()
}

/// A number without its last bits, rounded to the nearest, to even of two.
fn rounded(number: u32, bits: u32) -> u32 {
    let (kept, rest) = (number >> bits, number & ((1 << bits) - 1));
    let middle = 1 << (bits - 1);
    kept + u32::from(rest > middle || (rest == middle && kept & 1 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        for (value, bits) in [
            (0.0, 0x0000_u16),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (0.5, 0x3800),
            (-0.468_75, 0xb780),
            (65_504.0, 0x7bff),
            (65_519.9, 0x7bff),
            (65_520.0, 0x7c00),
            (1.0 / 3.0, 0x3555),
            // Halfway between two: to the even one.
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            // The least number, half of it, and a hair more than half.
            (5.960_464_5e-8, 0x0001),
            (2.980_232_2e-8, 0x0000),
            (2.980_233e-8, 0x0001),
            (6.103_515_6e-5, 0x0400),
            (f32::INFINITY, 0x7c00),
            (f32::NAN, 0x7e00),
        ] {
            assert_eq!(u16::from_le_bytes(half(value)), bits, "{value}");
        }
    }
}
