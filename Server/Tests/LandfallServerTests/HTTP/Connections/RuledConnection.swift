// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallWire
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

@testable import LandfallServer

/// One connection of the server without a socket.
final class RuledConnection {
    private let channel = EmbeddedChannel()
    private let heard = HeardParts()
    let connections: Connections
    private(set) var sent = ""

    init(
        _ limits: ConnectionLimits = ConnectionLimits(), among connections: Connections = Connections(), from peer: String = "127.0.0.1",
        draining: Draining = Draining()
    ) throws {
        self.connections = connections
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderListSize = limits.headLength
        decoding.maxHeaderFieldSize = limits.headLength
        decoding.maxHeaderFieldCount = limits.headerFields
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding
        )
        try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: false), ConnectionRules(limits, .silent, connections, draining: draining), heard])
        try channel.connect(to: SocketAddress(ipAddress: peer, port: 1)).wait()
    }

    var errors: [ErrorCode] { heard.errors }
    /// The heads that came as far as the application.
    var requests: [HTTPRequest] { heard.requests }
    var isOpen: Bool { channel.isActive }
    var isWritable: Bool {
        get { channel.isWritable }
        set {
            channel.isWritable = newValue
            channel.pipeline.fireChannelWritabilityChanged()
        }
    }

    /// The body of the last answer.
    var problem: ErrorBody.Problem? {
        guard let body = sent.components(separatedBy: "\r\n\r\n").last else { return nil }
        return try? WireCoding.decode(ErrorBody.self, from: Data(body.utf8)).error
    }

    func receive(_ text: String) {
        // The effect of an error shows in the connection's output; a closed connection accepts nothing.
        _ = try? channel.writeInbound(ByteBuffer(string: text))
        collect()
    }

    /// Answers a request like the application.
    /// - Parameter isWritten: false if the system does not take it.
    /// - Parameter body: nil: no body, and a length of zero is sent.
    func answer(_ body: String? = nil, isWritten: Bool = true) {
        let head = HTTPResponse(status: .ok, headerFields: body == nil ? [.contentLength: "0"] : [:])
        channel.pipeline.write(HTTPResponsePart.head(head), promise: nil)
        if let body { channel.pipeline.write(HTTPResponsePart.body(ByteBuffer(string: body)), promise: nil) }
        channel.pipeline.write(HTTPResponsePart.end(nil), promise: nil)
        if isWritten { channel.pipeline.flush() }
        collect()
    }

    func limitAnswer(to time: TimeAmount) {
        channel.pipeline.triggerUserOutboundEvent(ConnectionRules.AnswerLimit(left: time), promise: nil)
    }

    func pass(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
        collect()
    }

    private func collect() {
        while let bytes = try? channel.readOutbound(as: ByteBuffer.self) { sent += String(buffer: bytes) }
    }
}

/// The application's end of the connection.
private final class HeardParts: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    private(set) var errors: [ErrorCode] = []
    private(set) var requests: [HTTPRequest] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { requests.append(head) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? RequestError { errors.append(error.code) }
    }
}
