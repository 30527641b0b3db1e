// SPDX-License-Identifier: Apache-2.0

/// The parts of a link as text, the same on the phone and on the server. It does not say whether the link is the app's own.
public struct LinkAddress: Hashable, Sendable {
    /// In UTF-8 bytes. A link hook must not write much more than this to disk.
    public static let longest = 4096

    /// The whole link, unchanged.
    public let text: String
    /// In lower case.
    public let scheme: String
    /// The text between `//` and the path, unchanged. Empty if there is none.
    public let authority: String
    /// The host of a web address: lower case, without port and without a final dot. nil for other schemes.
    public let host: String?
    /// Percent-encoded, unchanged; may be empty.
    public let path: String
    /// Percent-encoded, without its `?`.
    public let query: String?
    /// Percent-encoded, without its `#`.
    public let fragment: String?

    /// True for http and https.
    public var isWeb: Bool { host != nil }

    /// Compares bytes; the other parts follow from the text.
    public static func == (left: LinkAddress, right: LinkAddress) -> Bool { left.text.hasSameBytes(as: right.text) }

    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

    /// True for a web address without a port, or with its scheme's own: a different server may answer on another port of the
    /// same host.
    public var hasUsualPort: Bool {
        guard isWeb, let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return isWeb }
        let port = authority[authority.utf8.index(after: colon)...]
        return port.isEmpty || port == (scheme == "https" ? "443" : "80")
    }

    /// - Throws: ``InvalidLink`` for a link that must not be followed.
    public init(_ text: String) throws(InvalidLink) {
        guard !text.isEmpty else { throw InvalidLink(.empty) }
        guard text.utf8.count <= Self.longest else { throw InvalidLink(.tooLong) }
        guard !text.unicodeScalars.contains(where: Self.isForbidden), CombiningMarks.areFew(in: text) else {
            throw InvalidLink(.forbiddenCharacter)
        }
        // Bytes throughout: a delimiter that is followed by a combining character is still a delimiter.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else {
            throw InvalidLink(.noScheme)
        }
        scheme = text[..<colon].lowercased()
        guard !Self.forbiddenSchemes.contains(scheme) else { throw InvalidLink(.forbiddenScheme) }

        var rest = text[text.index(after: colon)...]
        fragment = Self.cutTail(of: &rest, at: UInt8(ascii: "#"))
        query = Self.cutTail(of: &rest, at: UInt8(ascii: "?"))
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        } else {
            authority = ""
        }
        path = String(rest)
        host = scheme == "https" || scheme == "http" ? try Self.webHost(authority) : nil
        self.text = text
    }

    /// A host in the form in which hosts are compared: lower case, without port and without a final dot.
    /// - Throws: ``InvalidLink`` if it is not a host.
    public static func webHost(_ authority: String) throws(InvalidLink) -> String {
        var host = authority[...].utf8
        guard !host.contains(UInt8(ascii: "@")) else { throw InvalidLink(.userInfo) }
        if let colon = host.lastIndex(of: UInt8(ascii: ":")) {
            guard host[host.index(after: colon)...].allSatisfy({ (48...57).contains($0) }) else {
                throw InvalidLink(.suspiciousHost)
            }
            host = host[..<colon]
        }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        // Before the change to lower case, which turns some look-alike characters into plain letters.
        let isPlain = host.allSatisfy { (65...90).contains($0 & 0xDF) || (48...57).contains($0) || $0 == 45 || $0 == 46 }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard isPlain, !labels.contains(where: \.isEmpty) else { throw InvalidLink(.suspiciousHost) }
        return Substring(host).lowercased()
    }

    /// The decoded segments of the path, without empty ones.
    /// - Throws: ``InvalidLink/Reason/dotSegment``, ``InvalidLink/Reason/invalidEncoding``.
    public func segments() throws(InvalidLink) -> [String] { try Self.segments(of: path) }

    /// Checks that everything encoded in it can be decoded.
    /// - Throws: as ``segments()`` and ``queryItems()``; the same on phone and server.
    public func checkEncoding() throws(InvalidLink) {
        _ = try Self.segments(of: isWeb ? path : authority + path)
        _ = try queryItems()
        if let fragment { _ = try PercentEncoding.decoded(fragment[...]) }
    }

    static func segments(of path: String) throws(InvalidLink) -> [String] {
        var segments: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            let segment = try PercentEncoding.decoded(Substring(part))
            guard segment != ".", segment != ".." else { throw InvalidLink(.dotSegment) }
            segments.append(segment)
        }
        return segments
    }

    private static let forbiddenSchemes: Set = ["javascript", "data", "vbscript", "file", "blob", "about", "view-source"]

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        // Nearly all of a link is ASCII; looking up each character in Unicode's tables took a twentieth of a redirect's time.
        if scalar.value < 0x7F { return scalar.value <= 0x20 || scalar == "\\" }
        return scalar.value <= 0x9F || scalar.properties.isWhitespace
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
        return isLetter(first)
            && text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 43 || $0 == 45 || $0 == 46 }
    }

    private static func cutTail(of rest: inout Substring, at mark: UInt8) -> String? {
        guard let index = rest.utf8.firstIndex(of: mark) else { return nil }
        defer { rest = rest[..<index] }
        return String(rest[rest.utf8.index(after: index)...])
    }
}
