// SPDX-License-Identifier: Apache-2.0

/// What a browser says about a person's click besides the link. Of a machine's request nothing is kept, and of nobody's the address or the
/// whole user agent.
struct ClickContext: Hashable, Sendable {
    /// The host of the page that has the link, in lower case and without `www.`; of an Android app its name.
    var referrer: String?
    /// A name of ``BrowserName``.
    var browser: String?
    /// The language that stands first in `Accept-Language`, without its country: two or three letters.
    var language: String?
    /// Apple's id of the custom product page that the App Store shows.
    var productPage: String?
}

extension ClickContext {
    /// Longer names of hosts are of no known site.
    private static let longestHost = 100
    private static let schemes = ["https://", "http://", "android-app://"]

    /// - Parameter field: `Referer`.
    /// - Returns: nil for other schemes, for an address in numbers, and for an address with a password.
    static func referrer(_ field: some Collection<UInt8>) -> String? {
        guard let scheme = schemes.first(where: { field.starts(with: $0.utf8) }) else { return nil }
        let place = field.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        guard !place.contains(UInt8(ascii: "@")) else { return nil }
        let host = place.prefix { $0 != UInt8(ascii: ":") }.map { (65...90).contains($0) ? $0 | 32 : $0 }
        guard host.count <= longestHost, host.allSatisfy({ isLetter($0) || isDigit($0) || ".-_".utf8.contains($0) }),
            host.contains(where: isLetter)
        else { return nil }
        return String(decoding: host.starts(with: "www.".utf8) ? host[4...] : host[...], as: UTF8.self)
    }

    /// - Parameter field: `Accept-Language`.
    static func language(_ field: some Collection<UInt8>) -> String? {
        let code = field.prefix { isLetter($0 | 32) }.map { $0 | 32 }
        guard (2...3).contains(code.count), field.dropFirst(code.count).first.map({ "-_,; ".utf8.contains($0) }) ?? true else { return nil }
        return String(decoding: code, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
