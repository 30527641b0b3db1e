// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Follows the redirects of the listed hosts to the wrapped link.
///
/// Over https only, so that the answers cannot be forged on the way; without cookies, key or anything that identifies the app.
struct LinkUnwrapper: Sendable {
    static let mostHops = 10

    let rules: LinkRules
    let transport: any Transport
    let now: @Sendable () -> Duration
    let log: @Sendable (LogLine) -> Void

    /// The link itself if it is not wrapped, or if there is nothing behind it.
    /// - Throws: ``LandfallError``, `CancellationError`.
    func target(of link: LinkAddress) async throws -> LinkAddress {
        var current = link
        for _ in 0..<Self.mostHops {
            guard rules.route(of: current) == .unwrap else { return current }
            guard let next = try await redirect(of: current.overHTTPS) else { return link }
            current = next
        }
        return rules.route(of: current) == .unwrap ? link : current
    }

    /// nil: the address is a page, or leads to a link that must not be followed.
    private func redirect(of link: LinkAddress) async throws -> LinkAddress? {
        let request = TransportRequest(method: "GET", url: link.url, headers: ["accept": "*/*"], idleLimit: .seconds(5))
        let begun = now()
        let answer: TransportAnswer
        do {
            answer = try await abandoning { [transport] in try await transport.send(request) }
            say(link, "\(answer.status)", since: begun)
        } catch let error as TransportError {
            say(link, error.asOutcome, since: begun)
            throw LandfallError(.network(error))
        }
        if answer.status >= 500 || answer.status == 429 {
            throw LandfallError(.unavailable(.busy), detail: "A wrapper of links answered \(answer.status).")
        }
        guard (300..<400).contains(answer.status), let location = answer.headers["location"],
            let next = URL(string: location, relativeTo: link.url)
        else { return nil }
        return LinkAddress(resolvedBy: next.absoluteString)?.overHTTPS
    }

    /// Without the path: that of a wrapper often names its receiver.
    private func say(_ link: LinkAddress, _ outcome: String, since begun: Duration) {
        let line = "GET \(link.host ?? "") (a wrapped link) after \((now() - begun).inWords): \(outcome)"
        log(LogLine(.debug, line, category: .requests))
    }
}

extension LinkAddress {
    /// The same with https in place of http; the default port of http is removed.
    fileprivate var overHTTPS: LinkAddress {
        guard scheme == "http", let host else { return self }
        let rest = text.utf8.dropFirst(scheme.utf8.count + "://".utf8.count + authority.utf8.count)
        let port = authority.lastIndex(of: ":").map { String(authority[$0...]) } ?? ""
        let upgraded = "https://\(host)\(["", ":", ":80"].contains(port) ? "" : port)\(Substring(rest))"
        return LinkAddress(resolvedBy: upgraded) ?? self
    }
}
