// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Two real listeners with the same configuration: one whose connections answer what they can, and one that leaves everything
/// to the application.
struct BothWays {
    let loop: Listener
    let application: Listener

    /// - Parameter configuration: nil serves the links that most tests here speak of.
    static func run(
        configuration: Configuration? = nil, _ body: @Sendable @escaping (BothWays) async throws -> Void
    ) async throws {
        @Sendable func serving(_ body: @Sendable (TestServer) async throws -> Void) async throws {
            guard let configuration else { return try await TestServer.runBrand(body) }
            try await TestServer.run(configuration: configuration, body)
        }
        try await serving { one in
            try await serving { other in
                try await Listener.run(one, answersItself: true) { loop in
                    try await Listener.run(other, answersItself: false) { application in
                        try await body(BothWays(loop: loop, application: application))
                    }
                }
            }
        }
    }

    /// Sends the same to both.
    /// - Parameter pieces: where the bytes are cut.
    func ask(_ bytes: String, pieces: [Int] = []) async throws -> (loop: String, application: String) {
        (try await loop.ask(bytes, pieces), try await application.ask(bytes, pieces))
    }

    struct Listener {
        let server: TestServer
        let port: Int

        static func run(
            _ server: TestServer, answersItself: Bool, _ body: @Sendable @escaping (Listener) async throws -> Void
        ) async throws {
            let services = server.services
            try await services.visitors.prepare(nowMs: services.time.nowMs())
            let hosts = services.hosts, links = services.linkRoutes
            let answers = answersItself ? services.fastPath(hosts, links, .silent) : nil
            let limits = ConnectionLimits()
            let rules = limits.rules(services.limitHits, services.connections, answers, draining: services.draining)
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let application = Application(
                router: Routes.router(services, hosts: hosts, links: links),
                server: HTTPServerBuilder { responder in
                    PromptAccepting(http: HTTP1Channel(responder: responder, configuration: limits.http1(rules)), handlings: Handlings())
                },
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
                onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
                logger: .silent
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await application.run() }
                group.addTask {
                    for await port in ports { return try await body(Listener(server: server, port: port)) }
                }
                // The second ends first, as the first goes on until it is cancelled.
                try await group.next()
                group.cancelAll()
                while (try? await group.next()) != nil {}
            }
        }

        /// Sends all, and reads until nothing more comes. Fields that differ between answers are left out.
        func ask(_ bytes: String, _ pieces: [Int]) async throws -> String {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                    }
                }
            let all = Array(bytes.utf8)
            let answer = try await channel.executeThenClose { inbound, outbound in
                var start = 0
                for end in pieces.sorted() + [all.count] where end > start && end <= all.count {
                    // A connection that was closed meanwhile takes no more.
                    try? await outbound.write(ByteBuffer(bytes: all[start..<end]))
                    start = end
                }
                outbound.finish()
                var answer = ""
                do {
                    for try await part in inbound { answer += String(buffer: part) }
                } catch {}
                return answer
            }
            return Self.lengthsWithoutIDs(answer).replacing(/Landfall-Request-Id: [0-9a-z]+/, with: "Landfall-Request-Id: #")
                .replacing(/"requestId":"[0-9a-z]+"/, with: "\"requestId\":\"#\"")
                .replacing(/Date: [A-Za-z0-9 ,:]+/, with: "Date: #")
                .replacing(/lf_tap=([a-z]+)\.[-0-9a-f]+/, with: { "lf_tap=\($0.output.1).#" })
                // Each store has its own.
                .replacing(/"s_[-0-9a-f]+"/, with: "\"s_#\"").replacing(/"epoch":[0-9]+/, with: "\"epoch\":#")
                .replacing(/"purchaseToken":"[-0-9a-f]+"/, with: "\"purchaseToken\":\"#\"")
        }

        /// The bodies of refusals hold ids, which are not all as long.
        private static func lengthsWithoutIDs(_ answers: String) -> String {
            let pieces = answers.components(separatedBy: "Content-Length: ")
            return pieces.dropFirst().reduce(pieces[0]) { text, piece in
                let head = text.components(separatedBy: "HTTP/1.").last ?? ""
                let isRefusal = ["4", "5"].contains(head.dropFirst(2).prefix(1)) && head.contains("application/json")
                let id = piece.firstMatch(of: /Landfall-Request-Id: ([0-9a-z]+)/)?.output.1 ?? ""
                let digits = piece.prefix { $0.isNumber }
                let length = (Int(digits) ?? 0) - (isRefusal ? id.count : 0)
                return text + "Content-Length: \(length)" + piece.dropFirst(digits.count)
            }
        }

        /// The stored clicks without their random values.
        func clicks() async throws -> [[SQLValue]] {
            try await server.rows("SELECT * FROM click").map { row in
                zip(row.columns, row.values).filter { !["click_id", "visitor", "clicked_at_ms"].contains($0.0) }.map(\.1)
            }
            // Ids of one instant have no order.
            .sorted { "\($0)" < "\($1)" }
        }
    }
}
