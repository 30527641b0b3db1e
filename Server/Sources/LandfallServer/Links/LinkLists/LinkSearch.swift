// SPDX-License-Identifier: Apache-2.0

/// Looks for a text in addresses. A to Z and a to z are the same; all other bytes compare as they are.
///
/// Each byte of an address is read once, as Knuth, Morris and Pratt do it: a page of the list looks through 10,000 links.
package struct LinkSearch: Sendable {
    private let wanted: [UInt8]
    /// For each byte of the wanted text: how many bytes up to it are also the text's first ones.
    private let borders: [Int]

    package init(_ text: String) {
        let wanted = text.utf8.map(Self.lowered)
        var borders = Array(repeating: 0, count: wanted.count), matched = 0
        for place in wanted.indices.dropFirst() {
            while matched > 0, wanted[place] != wanted[matched] { matched = borders[matched - 1] }
            if wanted[place] == wanted[matched] { matched += 1 }
            borders[place] = matched
        }
        (self.wanted, self.borders) = (wanted, borders)
    }

    /// Every text has the empty one.
    package func occurs(in text: String) -> Bool {
        guard !wanted.isEmpty else { return true }
        var matched = 0
        for byte in text.utf8 {
            let byte = Self.lowered(byte)
            while matched > 0, byte != wanted[matched] { matched = borders[matched - 1] }
            if byte == wanted[matched] { matched += 1 }
            if matched == wanted.count { return true }
        }
        return false
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 32 : byte }
}
