// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How the pages of a brand domain look. What a link's own preview says comes first.
package struct BrandPage: Hashable, Sendable {
    package enum Icon: Hashable, Sendable {
        /// A picture as it is served: the server knows its ``types`` by their first bytes.
        case picture(type: String, bytes: [UInt8])
        /// One or two characters, such as an emoji.
        case letters(String)
    }

    /// Nil: the first letter of the app's name.
    package var icon: Icon?
    /// `#` and six hexadecimal digits in lower case.
    package var colour = Self.usualColour
    /// The description of a link that has none of its own, by locale too.
    package var sentence = LinkPreview()

    package init() {}

    package static let usualColour = "#0066ff"
    /// Of the text in the file: base64 is a third longer than the picture.
    static let mostIconBytes = 64 * 1024

    /// A colour as it is stored; nil if the text has not three or six hexadecimal digits, with or without `#`.
    static func colour(_ text: String) -> String? {
        let digits = text.utf8.starts(with: "#".utf8) ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.count == 3 || digits.count == 6, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        let lowered = String(Substring(digits)).lowercased()
        return "#" + (digits.count == 6 ? lowered : lowered.map { "\($0)\($0)" }.joined())
    }

    /// The same page for a link that says more of it.
    package func showing(_ preview: LinkPreview) -> BrandPage {
        var page = self
        if let icon = preview.icon { page.icon = .letters(icon) }
        page.colour = preview.colour ?? colour
        return page
    }

    /// White or black, whichever is easier to read on the colour (WCAG 2).
    package var ink: String {
        let digits = UInt32(colour.dropFirst(), radix: 16) ?? 0
        let parts = [digits >> 16 & 0xFF, digits >> 8 & 0xFF, digits & 0xFF].map { part in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.179 ? "#000000" : "#ffffff"
    }
}

extension BrandPage.Icon {
    /// The pictures that every browser shows as an icon, by their first bytes.
    private static let types: [(type: String, start: [UInt8])] = [
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("image/jpeg", [0xFF, 0xD8, 0xFF]),
    ]

    /// Nil if the text is neither a `data:` address of such a picture nor one or two characters.
    init?(_ text: String) {
        guard text.hasPrefix("data:") else {
            guard (1...2).contains(text.count), text.utf8.count <= 64 else { return nil }
            self = .letters(text)
            return
        }
        guard let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64"),
            let data = Data(base64Encoded: String(text[text.index(after: comma)...])),
            let type = Self.types.first(where: { data.starts(with: $0.start) })?.type, text.hasPrefix("data:\(type);")
        else { return nil }
        self = .picture(type: type, bytes: Array(data))
    }
}
