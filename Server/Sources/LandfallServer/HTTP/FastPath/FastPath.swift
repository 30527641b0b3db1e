// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import LandfallWire
package import Logging
import NIOCore
import Synchronization

/// What the connections of one node answer on their own event loop, see ``FastPathConnection``. The host decides, as in the
/// application (``HostRouting``).
package final class FastPath: Sendable {
    private let configuration: LiveConfiguration
    private let hosts: HostReader
    private let links: any BrandFastPathRoute
    private let api: [any FastPathRoute]
    private let anywhere: [any FastPathRoute]
    private let telemetry: RequestTelemetry
    private let time: ServerTime
    private let draining: Draining
    private let date = HTTPDate()
    private let logger: Logger
    private let inboxes = Mutex<[ObjectIdentifier: FastPathInbox]>([:])
    /// The field in which a trusted proxy writes the client's country, in lower case.
    let countryName: [UInt8]

    /// - Parameters:
    ///   - anywhere: the routes of every host except brand domains.
    ///   - api: the routes of the API's hosts.
    package init(
        _ configuration: LiveConfiguration, _ hosts: HostReader, _ links: any BrandFastPathRoute, anywhere: [any FastPathRoute],
        api: [any FastPathRoute], telemetry: RequestTelemetry, time: ServerTime, countryHeader: HTTPField.Name?, draining: Draining, _ logger: Logger
    ) {
        self.configuration = configuration
        self.hosts = hosts
        self.links = links
        self.anywhere = anywhere
        self.api = api
        self.telemetry = telemetry
        self.time = time
        self.draining = draining
        self.logger = logger
        countryName = Array((countryHeader?.rawName ?? "").lowercased().utf8)
    }

    /// True when the node is about to stop: every answer from now on is the last of its connection.
    var areLast: Bool { draining.hasBegun }

    /// - Returns: nil if the application has to answer.
    func answer(to request: PlainRequest) -> FastPathAnswer? {
        guard request.head.isAnswerable, let named = request.text(request.head.host) else { return nil }
        let snapshot = configuration.snapshot
        switch hosts.host(named: named, in: snapshot) {
        case .brand(let domain): return links.answer(to: request, on: domain, in: snapshot)
        case .several: return nil
        case .other(let host):
            for route in anywhere { if let answer = route.answer(to: request, in: snapshot) { return answer } }
            guard !api.isEmpty, snapshot.isAPI(host) else { return nil }
            for route in api { if let answer = route.answer(to: request, in: snapshot) { return answer } }
            return nil
        }
    }

    /// The whole answer.
    func bytes(
        of answer: FastPathAnswer, to method: PlainHead.Method, requestID: String, isLast: Bool, _ allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        answer.head.bytes(
            body: answer.body, requestID: requestID, date: date.text(nowMs: time.nowMs()), isWhole: method != .head,
            isLast: isLast, allocator)
    }

    func ended(_ answer: FastPathAnswer, to method: PlainHead.Method, requestID: String, after duration: Duration) {
        telemetry.ended(answer.route, isHead: method == .head, after: duration, level: logger.logLevel) { logger.of(requestID) }
    }

    /// The inbox through which answers return to this loop.
    func inbox(of loop: any EventLoop) -> FastPathInbox {
        inboxes.withLock { inboxes in
            if let inbox = inboxes[ObjectIdentifier(loop)] { return inbox }
            let inbox = FastPathInbox(loop)
            inboxes[ObjectIdentifier(loop)] = inbox
            return inbox
        }
    }
}

extension Logger {
    /// The same for one request.
    func of(_ requestID: String) -> Logger {
        var logger = self
        logger[metadataKey: "request.id"] = "\(requestID)"
        return logger
    }
}
