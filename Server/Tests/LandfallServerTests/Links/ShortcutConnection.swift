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

@testable import LandfallServer

/// One connection with a ``LinkShortcut`` and, behind it, an application that answers when the test says so.
final class ShortcutConnection {
    private let channel = EmbeddedChannel()
    private let reads = CountedReads()
    private let application = HeardRequests()

    /// Everything that needs to wait is done before the body, which stays on one thread as the loop does.
    static func run(_ body: @Sendable (ShortcutConnection, HeldClicks) throws -> Void) async throws {
        try await TestServer.runBrand { server in
            let clicks = HeldClicks()
            let services = server.replacingClicks(clicks).services
            try await services.visitors.prepare(nowMs: services.time.nowMs())
            // What is not stored is known, too.
            for path in ["/unknown", "/a"] { _ = try await Browser.onPhone.open("https://go.example.com" + path, in: server) }
            let answers = LinkAnswering(services, HostReading(services), LinkRoutes(services: services), .silent)
            try body(try ShortcutConnection(answers, ConnectionLimits().rules(services)()), clicks)
        }
    }

    private init(_ answers: LinkAnswering, _ rules: ConnectionRules) throws {
        try channel.pipeline.syncOperations.addHandlers([reads, HTTPResponseEncoder(), HTTP1ToHTTPServerCodec(secure: false)])
        try channel.pipeline.syncOperations.addHandlers([rules, LinkShortcut(answers, rules), application])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 1)).wait()
    }

    /// One answer without a body, read from its bytes.
    struct Answer {
        let status: Int
        let fields: HTTPFields

        init(_ bytes: ByteBuffer) throws {
            let lines = String(buffer: bytes).components(separatedBy: "\r\n")
            #expect(lines.suffix(2) == ["", ""])
            status = try #require(Int(lines[0].split(separator: " ")[1]))
            fields = try HTTPFields(
                lines[1...].filter { !$0.isEmpty }.map { line in
                    let colon = try #require(line.firstRange(of: ": "))
                    let name = try #require(HTTPField.Name(String(line[..<colon.lowerBound])))
                    return HTTPField(name: name, value: String(line[colon.upperBound...]))
                })
        }
    }

    /// What the other side got: status and place.
    private(set) var sent: [String] = []
    /// What the application heard: method and target, `end`, `event` or `error`.
    var heard: [String] { application.heard }
    /// True where the last wish to read reached the socket.
    var isRead: Bool {
        let before = reads.count
        channel.pipeline.read()
        return reads.count > before
    }
    var isWritable: Bool {
        get { channel.isWritable }
        set { channel.isWritable = newValue }
    }

    func receive(_ request: String, host: String = "go.example.com", _ fields: HTTPFields = [:]) {
        let words = request.split(separator: " ").map(String.init)
        var headers = HTTPHeaders([("Host", host)] + fields.map { ($0.name.rawName, $0.value) })
        if fields[.userAgent] == nil { headers.add(name: "User-Agent", value: Browser.safari) }
        let old = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: words[0]), uri: words[1], headers: headers)
        for part in [HTTPServerRequestPart.head(old), .end(nil)] { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
        collect()
    }

    /// What the application does with its first open request.
    func answer() {
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
        for part in [HTTPResponsePart.head(head), .end(nil)] { channel.pipeline.writeAndFlush(part, promise: nil) }
        collect()
    }

    func fire(_ event: any Sendable) { channel.pipeline.fireUserInboundEventTriggered(event) }
    func fail(_ error: any Error) { channel.pipeline.fireErrorCaught(error) }
    func close() { channel.close(promise: nil) }

    /// The loop does what it has to.
    func pass() {
        channel.embeddedEventLoop.run()
        collect()
    }

    private func collect() {
        while let part = try? channel.readOutbound(as: ByteBuffer.self) {
            guard part.readableBytes > 0, let answer = try? Answer(part) else { continue }
            sent.append("\(answer.status) \(answer.fields[.location] ?? "")")
        }
    }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

extension Browser {
    /// As the connection brings it.
    func head(_ target: String) -> HTTPRequest {
        var fields = headers
        fields[.userAgent] = userAgent
        return HTTPRequest(method: method, scheme: "http", authority: "go.example.com", path: target, headerFields: fields)
    }
}

private final class CountedReads: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

private final class HeardRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    private(set) var heard: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): heard.append("\(head.method) \(head.path ?? "")")
        case .body: heard.append("body")
        case .end: heard.append("end")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { heard.append("event") }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { heard.append("error") }
}
