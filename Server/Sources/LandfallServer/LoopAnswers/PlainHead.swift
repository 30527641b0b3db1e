// SPDX-License-Identifier: Apache-2.0

/// A request's head as it lies in the connection's bytes: where its parts are, nothing copied.
///
/// Only what can be read in one way is read at all: lines that end in CRLF, names and versions as everybody writes them, a
/// body whose length one number says. Everything else that the parser behind understands or refuses is ``Reading/strange``.
struct PlainHead: Hashable {
    enum Method: Hashable { case get, head, other }

    /// A longer one is not plain.
    static let longest = 8 * 1024
    static let mostFields = 64

    /// Of the head's bytes, as are all places here.
    var target = 0..<0
    var method = Method.other
    /// With the empty line at its end.
    var length = 0
    /// Of what follows it.
    var bodyLength = 0
    /// `Connection: close`: the answer is the last on its connection.
    var isLast = false
    /// False where there may be a body, a value may mean more than its bytes say, or a field is there twice: the application
    /// decides.
    var isPlain = true

    var host: Range<Int>?
    var userAgent: Range<Int>?
    var authorization: Range<Int>?
    var profile: Range<Int>?
    var forwardedFor: Range<Int>?
    var secPurpose: Range<Int>?
    var purpose: Range<Int>?
    var xPurpose: Range<Int>?
    /// The field in which a trusted proxy says the client's country.
    var country: Range<Int>?

    /// A request that nothing follows and that names its host once, as a browser, a phone or a proxy sends it.
    var isAnswerable: Bool { isPlain && method != .other && host != nil }
}
