// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Logging
import NIOCore

/// What ``LinkShortcut`` needs of the server: of one node, for all its connections.
final class LinkAnswering: Sendable {
    private let hosts: HostReading
    private let links: LinkRoutes
    private let telemetry: RequestTelemetry
    private let time: ServerTime
    private let date = HTTPDate()
    private let logger: Logger

    init(_ services: Services, _ hosts: HostReading, _ links: LinkRoutes, _ logger: Logger) {
        self.hosts = hosts
        self.links = links
        telemetry = services.telemetry.requests
        time = services.time
        self.logger = logger
    }

    /// Nil for what the application answers.
    func plainRedirect(_ head: HTTPRequest, from peer: ClientAddress?) -> PlainRedirect? {
        guard case .brand(let domain) = hosts.host(of: head) else { return nil }
        return links.plainRedirect(head, on: domain, for: hosts.client(head, from: peer))
    }

    /// - Parameter answer: called once, on any thread, when the click is on disk, or where the store refuses writes just now.
    func record(_ redirect: PlainRedirect, requestID: String, then answer: @escaping @Sendable () -> Void) {
        links.record(redirect, logger(requestID), then: answer)
    }

    /// The whole answer.
    func answer(_ redirect: PlainRedirect, requestID: String, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        redirect.head.answer([.landfallRequestID: requestID, .date: date.text(nowMs: time.nowMs())], allocator)
    }

    func ended(_ method: HTTPRequest.Method, requestID: String, after duration: Duration) {
        telemetry.ended(method, route: "link", status: 302, after: duration, logger(requestID))
    }

    private func logger(_ requestID: String) -> Logger {
        guard logger.logLevel <= .info else { return logger }
        var logger = logger
        logger[metadataKey: "request.id"] = "\(requestID)"
        return logger
    }
}
