// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The links that wait for the app, and the listeners that wait for a link.
struct LinkInbox: Sendable {
    /// More links than a person taps before looking at the app.
    static let mostLinks = 100
    /// How long a link of an earlier launch waits for its own scene, once there is a listener.
    static let scenePatience: Duration = .seconds(5)

    struct Waiting: Sendable {
        var arrival: LinkArrival
        let link: LinkAddress
        /// By the phone's calendar, in Unix milliseconds.
        let acceptedAt: Int64
        let isLeftOver: Bool
        /// The question that the server has to answer first.
        let question: IdempotencyKey?
        /// Since when a listener waits that may have it.
        var awaitedSince: Duration?
    }

    private(set) var waiting: [Waiting] = []
    /// Links whose listeners get them as soon as the files say so, by the listener.
    private var onTheirWay: [LinkListener.ID: Waiting] = [:]
    /// Listeners that have stopped while a link was on its way to them.
    private var stopped: Set<LinkListener.ID> = []
    private var listeners: [LinkListener] = []
    private var scenes: Set<SceneID> = []
    private var firstListenedAt: Duration?
    /// Every link of this launch: a link that is read from the files later must not come again.
    private var known: Set<String> = []

    /// Nothing in this launch has listened for links.
    var hasWaitingButNoListener: Bool { !waiting.isEmpty && firstListenedAt == nil }

    var wasListenedTo: Bool { firstListenedAt != nil }

    var hasListeners: Bool { !listeners.isEmpty }

    var questions: [IdempotencyKey] { (waiting + Array(onTheirWay.values)).compactMap(\.question) }

    func isWaiting(_ id: String) -> Bool { waiting.contains { $0.arrival.id == id } }

    func isAwaited(question: IdempotencyKey) -> Bool {
        waiting.contains { $0.question == question && $0.awaitedSince != nil }
    }

    func knows(_ id: String) -> Bool { known.contains(id) }

    /// - Returns: the link that was removed to make room.
    mutating func add(_ link: Waiting) -> String? {
        known.insert(link.arrival.id)
        let index = link.isLeftOver ? waiting.firstIndex { !$0.isLeftOver } ?? waiting.endIndex : waiting.endIndex
        waiting.insert(link, at: index)
        return waiting.count > Self.mostLinks ? waiting.removeFirst().arrival.id : nil
    }

    /// From now on it counts as handed over.
    mutating func take(_ id: String) {
        known.insert(id)
        waiting.removeAll { $0.arrival.id == id }
        onTheirWay = onTheirWay.filter { $0.value.arrival.id != id }
    }

    /// The same link from an earlier launch: a new tap replaces it.
    mutating func replaceLeftOvers(of tap: LinkTap) -> Set<String> {
        let old = waiting.filter { $0.isLeftOver && $0.arrival.tap.mayBe(tap) }
        let ids = Set(old.map(\.arrival.id))
        waiting.removeAll { ids.contains($0.arrival.id) }
        return ids
    }

    mutating func learnScene(_ scene: SceneID?, of id: String) {
        guard let index = waiting.firstIndex(where: { $0.arrival.id == id && $0.arrival.scene == nil }) else { return }
        waiting[index].arrival.scene = scene
    }

    mutating func expire(acceptedBefore date: Int64) -> Set<String> {
        let ids = Set(waiting.filter { $0.acceptedAt < date }.map(\.arrival.id))
        waiting.removeAll { ids.contains($0.arrival.id) }
        return ids
    }

    mutating func listen(_ listener: LinkListener, now: Duration) {
        listeners.append(listener)
        if let scene = listener.scene { scenes.insert(scene) }
        firstListenedAt = firstListenedAt ?? now
    }

    /// A link that is on its way to it waits for the next listener.
    /// - Returns: nil if it has a link, or is about to.
    mutating func stopListening(_ id: LinkListener.ID) -> LinkListener? {
        if var link = onTheirWay.removeValue(forKey: id) {
            link.awaitedSince = nil
            waiting.insert(link, at: 0)
            stopped.insert(id)
        }
        guard let index = listeners.firstIndex(where: { $0.id == id }) else { return nil }
        return listeners.remove(at: index)
    }

    /// The listener gets its link now.
    /// - Returns: false if it has stopped listening.
    mutating func arrive(at id: LinkListener.ID) -> Bool {
        onTheirWay[id] = nil
        return stopped.remove(id) == nil
    }

    /// A link that nothing waits for any more may be resolved without a time limit again.
    mutating func forgetWaiting(_ now: Duration) {
        for index in waiting.indices where listeners(for: waiting[index], now: now).isEmpty {
            waiting[index].awaitedSince = nil
        }
    }

    mutating func stopListening() -> [LinkListener] {
        defer { listeners = [] }
        return listeners
    }
}

/// A listener that waits for the next link.
struct LinkListener: Sendable {
    typealias ID = Int
    let id: ID
    /// nil listens to every link.
    let scene: SceneID?
    let waiter: CheckedContinuation<ReceivedLink?, Never>
}

// MARK: Which listener gets which link

extension LinkInbox {
    /// Links that go to their listeners now, in order. A link that is not ready delays the later ones of its listeners.
    /// - Parameter isReady: whether a link that is awaited since then can be handed over.
    mutating func handOver(now: Duration, isReady: (Waiting) -> Bool) -> [(Waiting, LinkListener)] {
        var pairs: [(Waiting, LinkListener)] = []
        var heldUp: Set<Int> = []
        var index = 0
        while index < waiting.count, !listeners.isEmpty {
            let candidates = listeners(for: waiting[index], now: now).filter { !heldUp.contains($0.id) }
            guard let listener = candidates.first else {
                index += 1
                continue
            }
            waiting[index].awaitedSince = waiting[index].awaitedSince ?? now
            if isReady(waiting[index]) {
                let link = waiting.remove(at: index)
                pairs.append((link, listener))
                onTheirWay[listener.id] = link
                listeners.removeAll { $0.id == listener.id }
            } else {
                heldUp.formUnion(candidates.map(\.id))
                index += 1
            }
        }
        if !pairs.isEmpty { forgetWaiting(now) }
        return pairs
    }

    mutating func takeDeferred() -> Waiting? {
        waiting.firstIndex { $0.arrival.deferred != nil }.map { waiting.remove(at: $0) }
    }

    /// The listeners that may have it, the best first.
    private func listeners(for link: Waiting, now: Duration) -> [LinkListener] {
        guard let scene = link.arrival.scene else {
            return listeners.filter { $0.scene == nil } + listeners.filter { $0.scene != nil }
        }
        if scenes.contains(scene) { return listeners.filter { $0.scene == scene } }
        let isOrphan = link.isLeftOver && firstListenedAt.map { $0 + Self.scenePatience <= now } ?? false
        return listeners.filter { $0.scene == nil } + (isOrphan ? listeners : [])
    }

    /// When something may change by the passing of time alone.
    var alarms: [Duration] {
        guard !listeners.isEmpty else { return [] }
        var times = waiting.compactMap { link in link.awaitedSince.map { $0 + LinkState.patience } }
        if waiting.contains(where: { $0.isLeftOver && $0.arrival.scene != nil }), let firstListenedAt {
            times.append(firstListenedAt + Self.scenePatience)
        }
        return times
    }
}

extension LinkState {
    mutating func settleInbox(_ at: LinkCircumstances, _ effects: inout [Effect]) {
        let lifetime = rules.lifetime.clamped(to: .zero ... .days(365)).wholeMilliseconds
        let expired = inbox.expire(acceptedBefore: at.date - lifetime)
        if !expired.isEmpty { effects.append(.forget(expired)) }
        let pairs = inbox.handOver(now: at.now) { [questions] link in
            let isLate = link.awaitedSince.map { $0 + Self.patience <= at.now } ?? false
            // Links of an earlier launch come first, and they are still in the files.
            guard at.isOpen else { return isLate }
            guard let question = link.question.flatMap({ questions[$0] }) else { return true }
            return isLate || question.verdict != nil
        }
        for (link, listener) in pairs {
            taps.handedOver(link.arrival.id, now: at.now)
            effects.append(.handOver(listener, received(link, at)))
        }
    }

    func received(_ link: LinkInbox.Waiting, _ at: LinkCircumstances) -> ReceivedLink {
        let finding: LinkTarget
        if let deferred = link.arrival.deferred {
            let resolved = LinkAddress(resolvedBy: deferred.resolved)
            finding = LinkTarget(
                status: resolved.map { $0 == link.link } ?? true ? .passedThrough : .resolved, link: resolved ?? link.link)
        } else if let question = link.question {
            finding = questions[question]?.verdict ?? LinkTarget(status: .timedOut, link: link.link)
        } else {
            finding = LinkTarget(status: .passedThrough, link: link.link)
        }
        let waited = min(max(at.date - link.acceptedAt, 0), 365 * 86_400_000)
        let tapped = min(max(link.arrival.deferred?.ageMilliseconds ?? 0, 0), 365 * 86_400_000)
        let id = link.arrival.id
        return ReceivedLink(
            id: id, original: link.link.url, resolved: finding.link.url, status: finding.status,
            destination: rules.destination(of: finding.link, status: finding.status), scene: link.arrival.scene,
            isRedelivered: link.arrival.wasHandedOver == true,
            deferredMatch: link.arrival.deferred.map { DeferredLinkMatch(rawValue: $0.matchedBy.rawValue) },
            age: min(.milliseconds(waited + tapped), .days(365)), onTaken: { [take] in take(id) }
        )
    }
}
