// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix

/// The minimum that a phone's delays allow: waits for the token, opens a bare socket through the same kind of network, sends
/// one request and returns with its answer. No HTTP, no JSON, no store: only the delays.
///
/// It opens its connection when it has the token, like any client whose first request contains the token.
struct LimitClient: Sendable {
    /// Where ``LimitServer`` answers.
    let port: Int

    /// - Returns: when the answer arrived, or when it was clear that none would come: with Apple's first answer if that has no
    ///   attribution; at the deadline without any answer, and on a first launch without a network, which may come until then.
    ///   A phone that was launched before has its paywall: without a network it returns at once.
    func run(_ phone: DrawnPhone, deadline: Duration) async throws -> Duration {
        let begun = ContinuousClock.now
        if phone.isOffline, phone.isCached { return .zero }
        guard !phone.isOffline, let tokenDelay = phone.tokenDelay, phone.treatment != .never else {
            try await Task.sleep(until: begun + deadline, tolerance: .zero, clock: .continuous)
            return begun.duration(to: .now)
        }
        let plan = phone.network.calm
        let proxy = try await NetworkProxy.open(to: { port }, plan: { _ in plan })
        await withTaskGroup { race in
            race.addTask {
                try? await Task.sleep(until: begun + tokenDelay, tolerance: .zero, clock: .continuous)
                try? await ask(through: proxy.port, for: phone.appleDelay)
            }
            race.addTask { try? await Task.sleep(until: begun + deadline, tolerance: .zero, clock: .continuous) }
            await race.next()
            race.cancelAll()
        }
        let elapsed = begun.duration(to: .now)
        await proxy.close()
        return elapsed
    }

    private func ask(through port: Int, for delay: Duration) async throws {
        let socket = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await socket.executeThenClose { answers, requests in
            try await requests.write(ByteBuffer(string: LimitServer.request(delay)))
            for try await _ in answers { return }
        }
    }
}

/// Answers each connection's first line after the number of milliseconds in it.
struct LimitServer: Sendable {
    let port: Int
    private let listener: any Channel

    /// About as long as the lines that tell Apple's answer.
    static let answerBytes = 900.0

    /// About as long as a first open's request, so that a narrow line delays both alike.
    static func request(_ delay: Duration) -> String {
        let number = "\(delay.wholeMilliseconds)\n"
        return String(repeating: " ", count: max(0, 900 - number.utf8.count)) + number
    }

    static func open() async throws -> LimitServer {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(LateAnswer()) }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0).get()
        return LimitServer(port: listener.localAddress?.port ?? 0, listener: listener)
    }

    func close() async { try? await listener.close() }
}

private final class LateAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var request = ""

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard request.hasSuffix("\n"), let delay = Int64(request.filter(\.isNumber)) else { return }
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .milliseconds(delay)) {
            channel.writeAndFlush(ByteBuffer(string: String(repeating: ".", count: Int(LimitServer.answerBytes))), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
