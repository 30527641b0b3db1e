// SPDX-License-Identifier: Apache-2.0

/// Unguessable texts, from the system's random numbers.
package enum RandomText {
    /// Letters and digits without 0, O, I and l: people read codes aloud.
    package static let base58 = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    /// The same in capitals, for codes that people type.
    static let typed = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    package static func draw(_ count: Int, of alphabet: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }, as: UTF8.self)
    }
}
