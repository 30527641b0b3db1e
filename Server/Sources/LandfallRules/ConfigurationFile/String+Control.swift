// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with control characters, and characters that change the direction of text, written as `\u001b`. Line breaks and
    /// tabs stay. Inside JSON strings the meaning stays the same.
    package var withoutControl: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl {
                let digits = String(scalar.value, radix: 16)
                text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
