// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// The state behind the static members of ``Adjust``: at most one client, and the calls before there was one.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class Connection: @unchecked Sendable {
    /// The only global state of this module.
    static let current = Connection()
    static let bound = Duration.seconds(2.5)
    /// More links than this are not kept for a client that does not come.
    static let mostWaiting = 100

    private struct State {
        var client: LandfallClient?
        /// Links whose click is to be recorded, in order.
        var unrecorded: [URL] = []
        var waiting: [UUID: AsyncStream<LandfallClient>.Continuation] = [:]
        var lastLink: URL?
        /// Said before there was a client.
        var wantsCollection: Bool?
        var modeBefore: CollectionMode?
        var following: [Task<Void, Never>] = []
    }

    let delegateCalls = DelegateCalls()
    let time: LandfallTime
    let transport: any Transport
    private let lock = NSLock()
    private var state = State()

    /// - Parameter transport: for wrapper links; the client has its own.
    init(time: LandfallTime = .live, transport: any Transport = URLSessionTransport()) {
        self.time = time
        self.transport = transport
    }

    deinit { state.following.forEach { $0.cancel() } }

    var client: LandfallClient? { lock.withLock { state.client } }

    func start(with client: LandfallClient, opening: (@MainActor (URL) -> Void)? = nil) {
        let before: State? = lock.withLock {
            guard state.client !== client else { return nil }
            defer {
                state.client = client
                state.unrecorded = []
                state.waiting = [:]
                state.wantsCollection = nil
                state.following = [
                    Task { [delegateCalls] in await delegateCalls.follow(client.profiles) },
                    Task { [delegateCalls] in await delegateCalls.followDeferred(of: client, opening: opening) },
                ]
            }
            return state
        }
        guard let before else { return }
        before.following.forEach { $0.cancel() }
        if let wants = before.wantsCollection { isCollecting = wants }
        for link in before.unrecorded { client.recordClick(link) }
        for waiting in before.waiting.values { waiting.yield(client) }
    }

    var isCollecting: Bool {
        get { lock.withLock { state.client.map { $0.collection != .off } ?? state.wantsCollection ?? true } }
        set {
            let (client, modeBefore) = lock.withLock {
                if state.client == nil { state.wantsCollection = newValue }
                return (state.client, state.modeBefore)
            }
            guard let client, case let mode = client.collection, newValue != (mode != .off) else { return }
            client.collection = newValue ? modeBefore ?? .full : .off
            if !newValue { lock.withLock { state.modeBefore = mode } }
        }
    }

    var lastLink: URL? { lock.withLock { state.lastLink } }

    /// Records the click; without a client, as soon as there is one.
    func record(_ link: URL) {
        let client = lock.withLock {
            state.lastLink = link
            return state.client
        }
        if let client { client.recordClick(link) } else { keep(link) }
    }

    /// Records the click and answers within the bound.
    func process(_ link: URL, _ completion: @escaping @MainActor (String) -> Void) {
        lock.withLock { state.lastLink = link }
        answer({ await self.resolved(link) }) { completion($0 ?? link.absoluteString) }
    }

    /// Answers within the bound with the furthest link.
    func unwrap(_ link: URL?, hosts: [String], _ callback: @escaping @MainActor (URL?) -> Void) {
        let furthest = Furthest(link)
        answer {
            if let link { await WrapperHops(hosts: hosts, transport: self.transport).follow(link) { furthest.link = $0 } }
            return nil as URL?
        } _: { _ in
            callback(furthest.link)
        }
    }

    func converted(_ link: URL, scheme: String) -> URL? { client?.converted(link, scheme: scheme) }

    private func resolved(_ link: URL) async -> String? {
        guard let client = await awaitClient() else {
            keep(link)
            return nil
        }
        return await client.recordAndResolve(link)
    }

    /// For the client to come; or for the one that came just now.
    private func keep(_ link: URL) {
        let client = lock.withLock {
            if state.client == nil, state.unrecorded.count < Self.mostWaiting { state.unrecorded.append(link) }
            return state.client
        }
        client?.recordClick(link)
    }

    /// - Returns: nil once the calling task is cancelled.
    private func awaitClient() async -> LandfallClient? {
        let id = UUID()
        let (arrivals, arrival) = AsyncStream.makeStream(of: LandfallClient.self)
        let client = lock.withLock {
            if state.client == nil { state.waiting[id] = arrival }
            return state.client
        }
        if let client { return client }
        defer { lock.withLock { state.waiting[id] = nil } }
        for await client in arrivals { return client }
        return nil
    }

    /// Calls `completion` once, on the main thread: with what `call` gives, or with nil when the bound is over. The task has no
    /// owner, as its caller wants none: it ends with the bound.
    private func answer<Value: Sendable>(
        _ call: @escaping @Sendable () async -> Value?, _ completion: @escaping @MainActor (Value?) -> Void
    ) {
        let deadline = time.now() + Self.bound
        Task { [time] in
            await withTaskGroup(of: Value?.self) { race in
                race.addTask(operation: call)
                race.addTask {
                    try? await time.sleep(deadline)
                    return nil
                }
                let first = await race.next() ?? nil
                race.cancelAll()
                // Here, before what ignores its cancellation is waited for.
                await completion(first)
            }
        }
    }
}

/// `@unchecked Sendable`: `lock` guards `reached`.
private final class Furthest: @unchecked Sendable {
    private let lock = NSLock()
    private var reached: URL?

    init(_ link: URL?) { reached = link }

    var link: URL? {
        get { lock.withLock { reached } }
        set { lock.withLock { reached = newValue } }
    }
}
