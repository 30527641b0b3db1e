// SPDX-License-Identifier: Apache-2.0

/// An amount of Apple Ads: decimal text with its currency.
struct AppleAdsMoney: Hashable, Decodable {
    let currency: String
    let milliunits: Int64

    private enum CodingKeys: String, CodingKey { case amount, currency }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let amount = try container.decode(String.self, forKey: .amount)
        currency = try container.decode(String.self, forKey: .currency)
        let isCode = currency.utf8.count == 3 && currency.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard isCode, let milliunits = Self.milliunits(of: amount) else {
            throw DecodingError.dataCorruptedError(forKey: .amount, in: container, debugDescription: "no amount of money")
        }
        self.milliunits = milliunits
    }

    /// Reads `12.34` digit by digit. A fourth place and those behind it are rounded, half away from zero.
    /// - Returns: nil for any other text, and beyond a million million.
    static func milliunits(of text: String) -> Int64? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0).split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.allSatisfy({ !$0.isEmpty }), whole.count <= 12 else { return nil }
        let places = parts.count == 2 ? Array(parts[1]) : [], zero = UInt8(ascii: "0")
        guard (Array(whole) + places).allSatisfy({ (zero...zero + 9).contains($0) }) else { return nil }
        let kept = places.prefix(3) + [UInt8](repeating: zero, count: max(0, 3 - places.count))
        var milliunits = (Array(whole) + kept).reduce(Int64(0)) { $0 * 10 + Int64($1 - zero) }
        if places.count > 3, places[3] >= zero + 5 { milliunits += 1 }
        return isNegative ? -milliunits : milliunits
    }
}
