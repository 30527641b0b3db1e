// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

/// The state behind the static members of ``Adjust``: at most one client, and the calls before it existed.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class Connection: @unchecked Sendable {
    /// The only global state of this module.
    private static let process = Connection()
    /// The connection that the static members use in a test, in place of the process's.
    @TaskLocal static var standIn: Connection?
    static var current: Connection { standIn ?? process }
    /// Opens a link; false if nothing could open it. Called on the main thread.
    typealias Opening = @MainActor @Sendable (URL) -> Bool
    static let bound = Duration.seconds(2.5)
    /// The most links that are kept for a client that may never come.
    static let mostWaiting = 100

    struct State {
        var client: LandfallClient?
        /// Links whose click is to be recorded, in order.
        var unrecorded: [URL] = []
        var waiting: [UUID: AsyncStream<LandfallClient>.Continuation] = [:]
        var lastLink: URL?
        /// Set before there was a client.
        var wantsCollection: Bool?
        var modeBefore: CollectionMode?
        /// Set before there was a client.
        var wantsMode: CollectionMode?
        var wantsErasure = false
        var erasing: Task<Void, Never>?
        var following: [Task<Void, Never>] = []
        var hasBegun = false
    }

    let delegateCalls = DelegateCalls()
    let events: EventCalls
    let notices: Notices
    let time: LandfallTime
    let transport: any Transport
    /// The settings of a start by ``ADJConfig``.
    let shared: SharedClient
    let info: AppInfo
    let makeClient: @Sendable (LandfallConfiguration) -> LandfallClient
    private let uncalled: @Sendable (any AdjustDelegate) -> [UncalledMethod]
    private let opening: Opening
    private let lock = NSLock()
    private var state = State()

    /// - Parameters:
    ///   - transport: for wrapper links; the client has its own.
    ///   - makeClient: tests put their own transport and storage into the configuration here; does no I/O.
    ///   - uncalled: the methods of a delegate that are never called; tests name some if no runtime knows them.
    ///   - opening: the system's.
    init(
        time: LandfallTime = .live, transport: any Transport = URLSessionTransport(), shared: SharedClient = .current,
        info: AppInfo = .current, notices: Notices = Notices(),
        makeClient: @escaping @Sendable (LandfallConfiguration) -> LandfallClient = { LandfallClient($0) },
        uncalled: @escaping @Sendable (any AdjustDelegate) -> [UncalledMethod] = UncalledMethod.of,
        opening: @escaping Opening = SystemOpening.open
    ) {
        self.time = time
        self.transport = transport
        self.shared = shared
        self.info = info
        self.notices = notices
        self.makeClient = makeClient
        self.uncalled = uncalled
        self.opening = opening
        events = EventCalls(notices)
    }

    deinit {
        state.following.forEach { $0.cancel() }
        state.erasing?.cancel()
    }

    var client: LandfallClient? { lock.withLock { state.client } }

    /// Logs once which of its methods are never called.
    var delegate: (any AdjustDelegate)? {
        get { delegateCalls.delegate }
        set {
            delegateCalls.delegate = newValue
            for method in newValue.map(uncalled) ?? [] { notices.say(method) }
        }
    }

    /// - Parameter note: keeps the value for the client that comes later; called only while there is no client.
    func clientOrNote(_ note: (inout State) -> Void) -> LandfallClient? {
        lock.withLock {
            if state.client == nil { note(&state) }
            return state.client
        }
    }

    /// True once.
    func isFirstStart() -> Bool {
        lock.withLock {
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    /// A start by ``ADJConfig``: the link from before the installation is opened even if no delegate asks for it.
    func start(with client: LandfallClient, _ start: StartedByConfig) {
        let schemes = (shared.links ?? LinkRules(domains: info.links)).domains.schemes
        let (system, notices) = (opening, notices)
        let bySystem: Opening = { link in
            if system(SystemOpening.form(of: link, for: client, schemes: schemes)) { return true }
            notices.log(.warning, SystemOpening.failure)
            return false
        }
        let opening = start.opening.map { Self.always($0) } ?? bySystem
        self.start(with: client, opening: opening, waitsForDelegate: false, starts: start.starts)
    }

    /// The app's own opening, which does not fail.
    static func always(_ open: @escaping @MainActor (URL) -> Void) -> Opening {
        { link in
            open(link)
            return true
        }
    }

    /// - Parameter starts: starts the client, when it has heard the calls from before and nothing waits for it yet.
    func start(with client: LandfallClient, opening: Opening? = nil, waitsForDelegate: Bool = true, starts: Bool = false) {
        let before: State? = lock.withLock {
            guard state.client !== client else { return nil }
            defer {
                state.client = client
                state.unrecorded = []
                state.waiting = [:]
                state.wantsCollection = nil
                state.wantsErasure = false
                state.wantsMode = nil
                state.following = []
            }
            return state
        }
        guard let before else { return starts ? client.start() : () }
        before.following.forEach { $0.cancel() }
        if let mode = before.wantsMode { setMode(mode, of: client) }
        if let wants = before.wantsCollection { isCollecting = wants }
        if before.wantsErasure { erase() }
        for link in before.unrecorded { client.recordClick(link) }
        events.start(with: client)
        if starts { client.start() }
        follow(client, opening: opening, waitsForDelegate: waitsForDelegate)
        for waiting in before.waiting.values { waiting.yield(client) }
    }

    private func follow(_ client: LandfallClient, opening: Opening?, waitsForDelegate: Bool) {
        lock.withLock {
            guard state.client === client else { return }
            state.following = [
                Task { [delegateCalls] in await delegateCalls.follow(client.profiles) },
                Task { [delegateCalls] in
                    await delegateCalls.followDeferred(of: client, opening: opening, waitsForDelegate: waitsForDelegate)
                },
            ]
        }
    }

    var isCollecting: Bool {
        get { lock.withLock { state.client.map { $0.collection != .off } ?? state.wantsCollection ?? true } }
        set {
            let (client, modeBefore) = lock.withLock {
                if state.client == nil { state.wantsCollection = newValue }
                return (state.client, state.modeBefore)
            }
            guard let client else { return }
            if newValue { return client.resumeCollection(as: modeBefore ?? .full) }
            let mode = client.collection
            client.collection = .off
            if mode != .off { lock.withLock { state.modeBefore = mode } }
        }
    }

    /// While collection is off, the mode takes effect when collection starts again.
    func setMode(_ mode: CollectionMode, of client: LandfallClient) {
        client.setDataCollectionUnlessOptedOut(mode)
        lock.withLock { state.modeBefore = mode }
    }

    /// Erases the person here and on the server; without a client, as soon as there is one.
    func erase() {
        isCollecting = false
        lock.withLock {
            guard let client = state.client else { return state.wantsErasure = true }
            state.erasing = Task { [notices] in
                do { try await client.forget() } catch {
                    notices.log(.warning, "The person is not erased yet. \(error) The request is kept and repeated in later launches.")
                }
            }
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

    func converted(_ link: URL, scheme: String) -> URL? {
        if let link = VendorLink(link) { return link.plain.ownForm(inScheme: scheme) }
        return client?.converted(link, scheme: scheme)
    }

    private func resolved(_ link: URL) async -> String? {
        guard let client = await awaitClient() else {
            keep(link)
            return nil
        }
        return await client.recordAndResolve(link)
    }

    /// For the client that comes later, or for the one that came just now.
    private func keep(_ link: URL) {
        let client = lock.withLock {
            if state.client == nil, state.unrecorded.count < Self.mostWaiting { state.unrecorded.append(link) }
            return state.client
        }
        client?.recordClick(link)
    }

    /// - Returns: nil once the calling task is cancelled.
    func awaitClient() async -> LandfallClient? {
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

    /// Calls `completion` once, on the main thread: with what `call` gives, or with nil when the time limit is over. The task has no
    /// owner: it ends with the limit.
    func answer<Value: Sendable>(
        within limit: Duration = bound, _ call: @escaping @Sendable () async -> Value?,
        _ completion: @escaping @MainActor (Value?) -> Void
    ) {
        let deadline = time.now() + limit
        Task { [time] in
            await withTaskGroup(of: Value?.self) { race in
                race.addTask(operation: call)
                race.addTask {
                    try? await time.sleep(deadline)
                    return nil
                }
                let first = await race.next() ?? nil
                race.cancelAll()
                // Here, before the wait for a call that ignores its cancellation.
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
