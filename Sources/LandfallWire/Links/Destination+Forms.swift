// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Destination {
    /// The https address of this destination on a brand or universal host.
    /// - Returns: nil if `host` is not a host.
    public func url(onHost host: String) -> URL? {
        guard let host = try? LinkAddress.webHost(host) else { return nil }
        return URL(string: text(onHost: host)) ?? URL(string: usualText(onHost: host))
    }

    /// The app-scheme form, for example `example://summer-clothes?promo=beach`: the app itself may open it.
    /// - Returns: nil if `scheme` is not a scheme.
    public func url(inScheme scheme: String) -> URL? {
        text(inScheme: scheme).flatMap { URL(string: $0) ?? URL(string: usualText(inScheme: scheme)) }
    }

    /// The same as text, for printing. As it was written, if it was read from a link: its slashes, the case of its path, its
    /// encoding, the order of its parameters; a parameter may have characters that `URL` encodes.
    public func text(onHost host: String) -> String { written?.text(onHost: host) ?? usualText(onHost: host) }

    /// The same as text, as it was written; nil if `scheme` is not a scheme of an app.
    public func text(inScheme scheme: String) -> String? {
        guard (try? LinkAddress("\(scheme)://"))?.isWeb == false else { return nil }
        return written?.text(inScheme: scheme) ?? usualText(inScheme: scheme)
    }

    private func usualText(onHost host: String) -> String { "https://\(host)/\(encodedPath)\(tail)" }

    private func usualText(inScheme scheme: String) -> String {
        // A segment that is not a plain word, or looks like a host, must not be in the host's position.
        let isWord =
            path.first.map { first in first.utf8.allSatisfy(PercentEncoding.unreserved.contains) && !first.contains(".") }
            ?? true
        return "\(scheme)://\(isWord ? "" : "/")\(encodedPath)\(tail)"
    }

    private var encodedPath: String {
        path.map { PercentEncoding.encoded($0, PercentEncoding.segment) }.joined(separator: "/")
    }

    private var tail: String {
        (query.isEmpty ? "" : "?\(LinkQuery.text(query))")
            + (fragment.map { "#\(PercentEncoding.encoded($0, PercentEncoding.fragment))" } ?? "")
    }
}
