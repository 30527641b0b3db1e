// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire
package import Logging

/// Plain redirects, answered on the connection's event loop: most requests of a brand domain. ``LinkRoutes`` decides what is
/// answered and stored, as for every other link; links that need the store first, or a page, go to the application.
package struct LinkFastPathRoute: BrandFastPathRoute {
    private let clients: LinkClients
    private let links: LinkRoutes
    private let route: RequestTelemetry.Route
    private let logger: Logger

    package init(_ hosts: HostReader, _ links: LinkRoutes, _ telemetry: RequestTelemetry, _ logger: Logger) {
        clients = LinkClients(hosts)
        self.links = links
        self.logger = logger
        route = telemetry.route("link", status: 302)
    }

    /// - Returns: nil if the application has to answer.
    package func answer(to request: PlainRequest, on domain: BrandDomain, in snapshot: Snapshot) -> FastPathAnswer? {
        let target = request.target
        guard CombiningMarks.areFew(percentEncoded: target) else { return nil }
        let head = request.head
        let client = clients.client(
            isHead: head.method == .head, userAgent: request.text(head.userAgent), isImage: false,
            purpose: request.text(head.secPurpose ?? head.purpose ?? head.xPurpose), from: request.peer,
            forwarded: request.text(head.forwardedFor).map { [$0] } ?? [], country: request.text(head.country),
            referrer: request.withBytes(head.referer) { $0.flatMap { ClickContext.referrer($0) } },
            language: request.withBytes(head.acceptLanguage) { $0.flatMap { ClickContext.language($0) } }
        )
        guard let redirect = links.plainRedirect(to: target, on: domain, in: snapshot, for: client) else { return nil }
        var answer = FastPathAnswer(head: redirect.head.answer, route: route)
        if redirect.entry != nil {
            answer.first = { [links, logger] requestID, then in
                links.record(redirect, { logger.of(requestID) }, then: then)
            }
        }
        return answer
    }
}
