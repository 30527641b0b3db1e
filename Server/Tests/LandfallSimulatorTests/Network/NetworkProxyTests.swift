// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import NIOCore
import NIOPosix
import Testing

@testable import LandfallSimulator

/// Real sockets of this machine; delays are a few milliseconds.
@Suite("The simulator's network", .timeLimit(.minutes(1)))
struct NetworkProxyTests {
    @Test("carries bytes both ways, no faster than its round trip")
    func carries() async throws {
        let begun = ContinuousClock.now

        let answer = try await answer(through: plan(.none, roundTrip: .milliseconds(30)))

        #expect(answer == "answer to hello")
        #expect(begun.duration(to: .now) >= .milliseconds(60))
    }

    @Test("resets a connection whose plan says so")
    func reset() async throws {
        await #expect(throws: (any Error).self) {
            try await answer(through: plan(.reset(after: .zero), roundTrip: .milliseconds(50)))
        }
    }

    @Test("delivers the first bytes of a half-closed connection and then nothing more")
    func halfClosed() async throws {
        #expect(try await answer(through: plan(.halfClosed(afterBytes: 6)), enough: 6) == "answer")
    }

    @Test("delivers another server's page with a captive portal")
    func captivePortal() async throws {
        let plan = plan(.captivePortal)
        let proxy = try await NetworkProxy.open(to: { 1 }, plan: { _ in plan })
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/v1/profiles/me"))

        let answer = try await URLSessionTransport().send(TransportRequest(method: "GET", url: url))
        await proxy.close()

        #expect(answer.status == 200)
        #expect(answer.headers["landfall-version"] == nil)
    }

    @Test("numbers its connections, so that each has its own plan")
    func numbers() async throws {
        let server = try await Answerer.open()
        let proxy = try await NetworkProxy.open(to: { server.port }) { number in
            number == 0 ? plan(.halfClosed(afterBytes: 3)) : plan(.none)
        }

        let first = try await say("hello", to: proxy.port, enough: 3)
        let second = try await say("hello", to: proxy.port, enough: 15)
        await proxy.close()
        await server.close()

        #expect(first == "ans")
        #expect(second == "answer to hello")
    }

    private func plan(_ fault: ConnectionPlan.Fault, roundTrip: Duration = .milliseconds(2)) -> ConnectionPlan {
        var plan = ConnectionPlan(roundTrip: roundTrip, setUp: roundTrip)
        plan.fault = fault
        return plan
    }

    private func answer(through plan: ConnectionPlan, enough: Int = 15) async throws -> String {
        let server = try await Answerer.open()
        let proxy = try await NetworkProxy.open(to: { server.port }, plan: { _ in plan })
        defer { Task { [proxy, server] in await (proxy.close(), server.close()) } }
        return try await say("hello", to: proxy.port, enough: enough)
    }

    /// Says something and reads until that many bytes are there.
    private func say(_ text: String, to port: Int, enough: Int) async throws -> String {
        let socket = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await socket.executeThenClose { answers, requests in
            try await requests.write(ByteBuffer(string: text))
            var heard = ""
            for try await piece in answers {
                heard += String(buffer: piece)
                if heard.utf8.count >= enough { return heard }
            }
            throw ConnectionEnded()
        }
    }
}

private struct ConnectionEnded: Error {}

/// Answers every text with "answer to …".
private struct Answerer {
    let port: Int
    private let listener: any Channel

    static func open() async throws -> Answerer {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Answerer(port: listener.localAddress?.port ?? 0, listener: listener)
    }

    func close() async { try? await listener.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let answer = ByteBuffer(string: "answer to " + String(buffer: unwrapInboundIn(data)))
            context.channel.writeAndFlush(answer, promise: nil)
        }
    }
}
