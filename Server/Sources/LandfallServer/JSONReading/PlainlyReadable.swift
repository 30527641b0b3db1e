// SPDX-License-Identifier: Apache-2.0

/// A body that can be read without `Codable` where it is plain, with the same value.
protocol PlainlyReadable: Decodable {
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain)
}

extension PlainlyReadable {
    /// - Returns: nil where the bytes are not plain: then `Codable` says what they are.
    static func plain(_ bytes: UnsafeRawBufferPointer) -> Self? {
        try? PlainJSON.read(bytes) { json throws(PlainJSON.NotPlain) in try Self(plain: &json) }
    }
}
