// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import LandfallNode
@testable import LandfallServer

/// One connection with everything that a server puts into it and, behind that, an application that answers when the test says
/// so. Bytes in, bytes out; its clicks are on a disk that the test moves.
final class LoopedConnection {
    private let channel = EmbeddedChannel()
    private let reads = CountedReads()
    private let application = HeardRequests()

    /// Everything that needs to wait is done before the body, which stays on one thread as the loop does.
    static func run(
        draining: Bool = false, _ body: @Sendable (LoopedConnection, HeldClicks) throws -> Void
    ) async throws {
        try await TestServer.runBrand { server in
            let clicks = HeldClicks()
            let services = server.replacingClicks(clicks).services
            try await services.visitors.prepare(nowMs: services.time.nowMs())
            // Missing links are cached, too.
            for path in ["/unknown", "/a"] { _ = try await Browser.onPhone.open("https://go.example.com" + path, in: server) }
            let answers = services.fastPath(services.hosts, services.linkRoutes, .silent)
            if draining { services.draining.begin() }
            try body(try LoopedConnection(ConnectionLimits().rules(services.limitHits, services.connections, answers, draining: services.draining)()), clicks)
        }
    }

    private init(_ rules: ConnectionRules) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: .init()
        )
        try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: false), rules, application])
        try pipeline.addHandler(reads, position: .first)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 1)).wait()
    }

    /// The bytes that the client got.
    private(set) var bytes = ""
    /// Status and place of each answer.
    var sent: [String] {
        bytes.components(separatedBy: "\r\n\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.map { head in
            let place = head.firstMatch(of: /Location: ([!-~]*)/).map { String($0.output.1) }
            return ([String(head.dropFirst(9).prefix(3))] + [place].compactMap { $0 }).joined(separator: " ")
        }
    }
    /// The events that reached the application: method and target, `end`, `event` or `error`.
    var heard: [String] { application.heard }
    /// True if the last read request reached the socket.
    var isRead: Bool {
        let before = reads.count
        channel.pipeline.read()
        return reads.count > before
    }
    var isOpen: Bool { channel.isActive }
    /// True if the server has closed its side.
    var isEnded: Bool { reads.isOutputClosed }
    var isWritable: Bool {
        get { channel.isWritable }
        set { channel.isWritable = newValue }
    }

    /// A whole request, in the bytes that a browser on a phone sends.
    func receive(_ request: String, host: String = "go.example.com", _ fields: String = "") {
        receive(bytes: Self.request(request, host: host, fields))
    }

    static func request(_ request: String, host: String = "go.example.com", _ fields: String = "") -> String {
        let agent = fields.contains("User-Agent") ? "" : "User-Agent: \(Browser.safari)\r\n"
        return "\(request) HTTP/1.1\r\nHost: \(host)\r\n\(agent)\(fields)\r\n"
    }

    func receive(bytes: String) {
        _ = try? channel.writeInbound(ByteBuffer(string: bytes))
        collect()
    }

    /// The application answers its first open request.
    func answer() {
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
        for part in [HTTPResponsePart.head(head), .end(nil)] { channel.pipeline.writeAndFlush(part, promise: nil) }
        collect()
    }

    func fire(_ event: any Sendable) {
        channel.pipeline.fireUserInboundEventTriggered(event)
        collect()
    }
    func fail(_ error: any Error) { channel.pipeline.fireErrorCaught(error) }
    func close() { channel.close(promise: nil) }

    /// Runs the loop's due work.
    func pass(_ time: TimeAmount = .zero) {
        channel.embeddedEventLoop.advanceTime(by: time)
        collect()
    }

    private func collect() {
        while let part = try? channel.readOutbound(as: ByteBuffer.self) { bytes += String(buffer: part) }
    }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

private final class CountedReads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private(set) var count = 0
    private(set) var isOutputClosed = false

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }

    /// A channel without a socket has no halves.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        isOutputClosed = true
        promise?.succeed()
    }
}

private final class HeardRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    private(set) var heard: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): heard.append("\(head.method) \(head.path ?? "")")
        case .body(let body): heard.append("body " + String(buffer: body))
        case .end: heard.append("end")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { heard.append("event") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { heard.append("error") }
}
