// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization

/// A network between a phone and a server: accepts TCP connections and forwards their bytes, each by its plan.
///
/// Runs on the process's shared event loops. Knows nothing of HTTP except where an answer ends.
final class NetworkProxy: Sendable {
    let port: Int
    private let listener: any Channel

    private init(_ listener: any Channel) {
        self.listener = listener
        port = listener.localAddress?.port ?? 0
    }

    /// - Parameters:
    ///   - upstream: the port on this machine to which a new connection leads.
    ///   - plan: the behaviour of the connection with that number, from 0.
    static func open(
        to upstream: @escaping @Sendable () -> Int, plan: @escaping @Sendable (_ connection: Int) -> ConnectionPlan
    ) async throws -> NetworkProxy {
        let count = ConnectionCount()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 64)
            .childChannelInitializer { phone in join(phone, to: upstream(), plan(count.next())) }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0).get()
        return NetworkProxy(listener)
    }

    /// Accepts nothing more. Open connections continue until one of their ends closes.
    func close() async { try? await listener.close() }

    private static func join(_ phone: any Channel, to upstream: Int, _ plan: ConnectionPlan) -> EventLoopFuture<Void> {
        let opensAt = phone.eventLoop.sinceStart + plan.setUp
        if plan.fault == .captivePortal {
            return phone.eventLoop.makeCompletedFuture {
                try phone.pipeline.syncOperations.addHandler(CaptivePortal(DelayLine(plan, opensAt: opensAt, seed: plan.seed)))
            }
        }
        if case .reset(let after) = plan.fault {
            phone.eventLoop.scheduleTask(in: TimeAmount(after)) { phone.reset() }
        }
        return ClientBootstrap(group: phone.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: upstream)
            .flatMapThrowing { server in
                let there = DelayLine(plan, opensAt: opensAt, seed: plan.seed)
                let back = DelayLine(plan, opensAt: opensAt, seed: ~plan.seed)
                try phone.pipeline.syncOperations.addHandler(Relay(to: server, there, .all))
                try server.pipeline.syncOperations.addHandler(Relay(to: phone, back, Relay.Passing(plan.fault)))
            }
    }
}

private final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

extension EventLoop {
    /// The loop's clock as a `Duration`.
    var sinceStart: Duration { .nanoseconds(Int64(clamping: now.uptimeNanoseconds)) }
}

extension NIODeadline {
    init(_ sinceStart: Duration) { self = .uptimeNanoseconds(UInt64(max(0, sinceStart / .nanoseconds(1)))) }
}
