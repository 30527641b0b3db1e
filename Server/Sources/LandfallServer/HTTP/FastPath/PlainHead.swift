// SPDX-License-Identifier: Apache-2.0

/// A request's head inside the connection's bytes: the positions of its parts, without copies.
///
/// Only a head that can be read in one way is read: lines end in CRLF, names and versions have the usual form, one number gives
/// the length of the body. Everything else that the parser understands or refuses is ``Reading/strange``.
package struct PlainHead: Hashable {
    enum Method: Hashable { case get, head, other }

    /// A longer head is not plain.
    package static let longest = 8 * 1024
    static let mostFields = 64

    /// Like all ranges here, a position in the head's bytes.
    package var target = 0..<0
    var method = Method.other
    /// With the empty line at its end.
    var length = 0
    /// The length of the body behind it.
    var bodyLength = 0
    /// `Connection: close`: the answer is the last on its connection.
    var isLast = false
    /// False if there may be a body, if a value may mean more than its bytes say, or if a field is there twice: then the
    /// application answers.
    var isPlain = true

    var host: Range<Int>?
    var userAgent: Range<Int>?
    var authorization: Range<Int>?
    var profile: Range<Int>?
    var device: Range<Int>?
    var linkRules: Range<Int>?
    var forwardedFor: Range<Int>?
    var secPurpose: Range<Int>?
    var purpose: Range<Int>?
    var xPurpose: Range<Int>?
    var referer: Range<Int>?
    var acceptLanguage: Range<Int>?
    /// The field in which a trusted proxy writes the client's country.
    var country: Range<Int>?

    /// A request without a body that names its host once, as a browser, a phone or a proxy sends it.
    var isAnswerable: Bool { isPlain && method != .other && host != nil }
}
