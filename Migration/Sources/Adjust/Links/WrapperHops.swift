// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Follows the redirects of listed hosts, and of no other.
struct WrapperHops: Sendable {
    static let most = 10

    let hosts: [String]
    let transport: any Transport

    /// Calls back with each link on the way except the given one; the last is the destination. Ends early if the task is
    /// cancelled.
    func follow(_ url: URL, _ reached: (URL) -> Void) async {
        var link = url
        for _ in 0..<Self.most {
            guard let address = Self.overHTTPS(link), isListed(address) else { return }
            let request = TransportRequest(method: "GET", url: address)
            guard let answer = try? await transport.send(request), (300..<400).contains(answer.status),
                let next = answer.headers["location"].flatMap({ URL(string: $0, relativeTo: address)?.absoluteURL })
            else { return }
            link = next
            reached(next)
        }
    }

    private func isListed(_ url: URL) -> Bool {
        guard let host = url.host else { return false }
        return hosts.contains { LinkDomains.matches(host, [$0, "*.\($0)"]) }
    }

    /// nil if it is not a web address.
    private static func overHTTPS(_ url: URL) -> URL? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return nil }
        guard scheme == "http", var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        parts.scheme = "https"
        if parts.port == 80 { parts.port = nil }
        return parts.url
    }
}
