// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire
import Synchronization

/// Every answer that is being held, and what wakes it. All of it is in this node's memory and does not have to survive a
/// restart.
///
/// A hold is taken *before* the row is read, so that a change between the read and the wait is not missed. An install id alone
/// proves nothing, so a hold counts against its install only once its caller is authenticated: see ``admit(_:)``.
package final class HeldAnswers: Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case stream, plain }

    struct Key: Hashable, Sendable {
        let app: AppID
        let install: InstallID
    }

    private struct Place {
        let hold: HeldAnswer
        var isAdmitted = false
    }

    /// The holds of one install, oldest first. A search starts at the front: few holds are admitted, and one that is not
    /// admitted yet stays only for the time of one read.
    private struct Group {
        var places: [Place] = []
        /// The look of the latest change. Only the holds that use it keep it alive.
        weak var look: SharedRead?
    }

    private struct State {
        var groups: [Key: Group] = [:]
        var counts: [Kind: Int] = [:]
        var networks: [ClientNetwork: Int] = [:]
        var isStopping = false

        var count: Int { counts.values.reduce(0, +) }
    }

    private let state = Mutex(State())
    private let limits: HeldLimits
    private let onFull: @Sendable (Limit) -> Void

    /// - Parameter onFull: called whenever a limit keeps an answer from being held.
    package init(_ limits: HeldLimits = HeldLimits(), onFull: @escaping @Sendable (Limit) -> Void = { _ in }) {
        self.limits = limits
        self.onFull = onFull
    }

    /// Takes a hold. Nil if the node or the address holds its maximum, or the node is stopping.
    /// - Parameters:
    ///   - address: nil has no limit.
    ///   - placements: the placements in the answer.
    func take(
        _ kind: Kind, app: AppID, install: InstallID, at address: ClientAddress? = nil, about placements: [PlacementID] = []
    ) -> HeldAnswer? {
        let network = address.map(ClientNetwork.init)
        let hold = HeldAnswer(kind: kind, key: Key(app: app, install: install), network: network, placements: placements)
        let full: Limit?? = state.withLock { state in
            guard !state.isStopping else { return .some(nil) }
            guard state.count < limits.node else { return .held }
            if let network, state.networks[network, default: 0] >= limits.address { return .heldByAddress }
            state.groups[hold.key, default: Group()].places.append(Place(hold: hold))
            state.counts[kind, default: 0] += 1
            if let network { state.networks[network, default: 0] += 1 }
            return nil
        }
        guard let full else { return hold }
        if let limit = full { onFull(limit) }
        return nil
    }

    /// The caller is authenticated: the hold now counts against its install, and a new stream may end the install's older
    /// streams.
    /// - Returns: false if the install holds its maximum: then answer at once.
    func admit(_ hold: HeldAnswer) -> Bool {
        let (isAdmitted, older) = state.withLock { state -> (Bool, [HeldAnswer]) in
            guard let places = state.groups[hold.key]?.places, let index = places.firstIndex(where: { $0.hold === hold })
            else { return (false, []) }
            let admitted = places.count { $0.isAdmitted && $0.hold.kind == hold.kind }
            guard places[index].isAdmitted || admitted < limits.ofInstall(hold.kind) else { return (false, []) }
            state.groups[hold.key]?.places[index].isAdmitted = true
            return (true, hold.kind == .stream ? places[..<index].map(\.hold).filter { $0.kind == .stream } : [])
        }
        for older in older { older.wake(.replaced) }
        if !isAdmitted { onFull(.heldByInstall) }
        return isAdmitted
    }

    /// Gives the place back; a second call does nothing.
    func release(_ hold: HeldAnswer) {
        state.withLock { state in
            guard let index = state.groups[hold.key]?.places.firstIndex(where: { $0.hold === hold }) else { return }
            state.groups[hold.key]?.places.remove(at: index)
            if state.groups[hold.key]?.places.isEmpty == true { state.groups[hold.key] = nil }
            state.counts[hold.kind, default: 1] -= 1
            guard let network = hold.network else { return }
            let left = state.networks[network, default: 1] - 1
            state.networks[network] = left > 0 ? left : nil
        }
    }

    /// Something about this install changed: all its holds look again, and share that look. A change that comes before the look
    /// has begun is part of it.
    package func changed(app: AppID, install: InstallID) {
        let key = Key(app: app, install: install)
        let (holds, look) = state.withLock { state -> ([HeldAnswer], SharedRead?) in
            guard let group = state.groups[key] else { return ([], nil) }
            let look = group.look.flatMap { $0.hasBegun ? nil : $0 } ?? SharedRead()
            state.groups[key]?.look = look
            return (group.places.map(\.hold), look)
        }
        guard let look else { return }
        for hold in holds { hold.wake(.changed(look)) }
    }

    /// A version of the configuration is served in which these placements differ: every hold whose answer contains one of them
    /// looks again. The holds of one install share the look. Other holds are not woken.
    func changed(_ placements: Set<PlacementID>) {
        guard !placements.isEmpty else { return }
        let woken = state.withLock { state -> [(HeldAnswer, SharedRead)] in
            var woken: [(HeldAnswer, SharedRead)] = []
            for (key, group) in state.groups {
                let holds = group.places.map(\.hold).filter { $0.placements.contains(where: placements.contains) }
                guard !holds.isEmpty else { continue }
                let look = group.look.flatMap { $0.hasBegun ? nil : $0 } ?? SharedRead()
                state.groups[key]?.look = look
                woken += holds.map { ($0, look) }
            }
            return woken
        }
        for (hold, look) in woken { hold.wake(.changed(look)) }
    }

    /// Anything may have changed: every hold looks again.
    func changedAny() {
        for key in state.withLock({ Array($0.groups.keys) }) { changed(app: key.app, install: key.install) }
    }

    /// The server is stopping: every held answer is sent now, and no further answer is held.
    package func stop() {
        let holds = state.withLock { state in
            state.isStopping = true
            return state.groups.values.flatMap { $0.places.map(\.hold) }
        }
        for hold in holds { hold.wake(.stopping) }
    }

    package var isStopping: Bool { state.withLock { $0.isStopping } }
    package var count: Int { state.withLock { $0.count } }
    /// How many this node holds at once.
    package var most: Int { limits.node }
    package func count(of kind: Kind) -> Int { state.withLock { $0.counts[kind] ?? 0 } }
}

/// How many answers are held at once. Above a limit an answer is sent at once instead of held; it is never refused.
/// They protect one node's memory, so other nodes do not share them.
package struct HeldLimits: Hashable, Sendable {
    /// Holds of one node.
    package var node = 10_000
    /// Holds of one network address. Carriers and offices put thousands of phones behind one address, and few of them wait at a
    /// time.
    package var address = 512
    /// Plain waits of one install: a phone waits for its profile and for each placement that it shows now.
    var waits = 8
    /// Streams of one install: the newest continues, the others write their last line.
    var streams = 4

    package init(node: Int = 10_000, address: Int = 512, waits: Int = 8, streams: Int = 4) {
        (self.node, self.address, self.waits, self.streams) = (node, address, waits, streams)
    }

    func ofInstall(_ kind: HeldAnswers.Kind) -> Int { kind == .stream ? streams : waits }
}
