// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import LandfallWire

/// The clients that follow links, read from heads of requests.
package struct LinkClients: Sendable {
    private let hosts: HostReader
    private let agents = KnownAgents()

    package init(_ hosts: HostReader) { self.hosts = hosts }

    /// The client that follows a link.
    package func client(_ head: HTTPRequest, from peer: ClientAddress?) -> LinkClient {
        let fields = head.headerFields
        return client(
            isHead: head.method == .head, userAgent: fields[.userAgent],
            isImage: fields[.accept]?.hasPrefix("image/") ?? false,
            purpose: fields[.secPurpose] ?? fields[.purpose] ?? fields[.xPurpose], from: peer,
            forwarded: fields[values: .xForwardedFor], country: hosts.countryHeader.flatMap { fields[$0] },
            referrer: fields[.referer].flatMap { ClickContext.referrer($0.utf8) },
            language: fields[.acceptLanguage].flatMap { ClickContext.language($0.utf8) }
        )
    }

    /// The same, from a head that any reader has parsed.
    /// - Parameters:
    ///   - isImage: it shall be shown as an image: `Accept` begins with one.
    ///   - forwarded: the values of `X-Forwarded-For`. Like the country, they are read only if a trusted proxy calls.
    ///   - referrer: like the language as clicks have it, read only of people.
    func client(
        isHead: Bool, userAgent: String?, isImage: Bool, purpose: String?, from peer: ClientAddress?,
        forwarded: @autoclosure () -> [String], country: @autoclosure () -> String?,
        referrer: @autoclosure () -> String?, language: @autoclosure () -> String?
    ) -> LinkClient {
        let agent = agents.facts(userAgent), visitor = agent.visitor.asking(isHead: isHead, isImage: isImage, purpose: purpose)
        let isPerson = visitor.kind == .person
        let isProxied = hosts.proxies.contains(peer)
        let address = isProxied ? hosts.proxies.client(peer: peer, forwarded: forwarded()) : peer
        return LinkClient(
            visitor: visitor, address: address,
            boundedAddress: hosts.proxies.bounded(address), userAgent: userAgent,
            country: isProxied ? CallerAddresses.country(country()) : nil, isAhead: LinkVisitor.isAhead(purpose),
            referrer: isPerson ? referrer() : nil, browser: isPerson ? agent.browser : nil, language: isPerson ? language() : nil
        )
    }
}
