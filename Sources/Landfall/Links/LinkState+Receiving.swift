// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What a hook or the app delivers.
extension LinkState {
    /// What a hook delivered.
    struct Reception: Sendable {
        /// nil: it repeats a delivery.
        var arrival: LinkArrival?
        var isClickNew = false
        var replaced: Set<String> = []
    }

    mutating func receive(
        _ link: LinkAddress, _ scene: SceneID?, _ key: IdempotencyKey, _ collection: CollectionMode, now: Duration
    ) -> Reception {
        let tap = LinkTap(text: link.text, scene: scene)
        let heard = taps.repeated(by: tap, now: now, isWaiting: inbox.isWaiting)
        if let heard, let arrival = heard.arrival {
            taps.learn(heard, scene: scene, arrival: nil)
            inbox.learnScene(scene, of: arrival)
            return Reception()
        }
        let isRecorded = collection != .off && !link.carriesCredential
        let click = heard.map(\.key) ?? (isRecorded ? key : nil)
        let arrival = LinkArrival(id: "\(key).in", url: link.text, scene: scene, click: click)
        if let heard {
            taps.learn(heard, scene: scene, arrival: arrival.id)
        } else {
            taps.hear(.init(tap: tap, key: click, arrival: arrival.id, lastAt: now))
        }
        return Reception(arrival: arrival, isClickNew: click == key, replaced: inbox.replaceLeftOvers(of: tap))
    }

    /// - Returns: the key of the click; nil if none is recorded.
    mutating func click(
        of link: LinkAddress, _ key: IdempotencyKey, _ collection: CollectionMode, now: Duration
    ) -> IdempotencyKey? {
        let tap = LinkTap(text: link.text)
        if let heard = taps.repeated(by: tap, now: now, isWaiting: inbox.isWaiting) { return heard.key }
        guard collection != .off else { return nil }
        taps.hear(.init(tap: tap, key: key, arrival: nil, lastAt: now))
        return key
    }

    /// Puts a link into the inbox, and asks where it leads if the phone does not know.
    /// - Returns: the links that were removed to make room.
    mutating func keep(
        _ arrival: LinkArrival, _ link: LinkAddress, acceptedAt: Int64, isLeftOver: Bool, unrecorded: IdempotencyKey
    ) -> Set<String> {
        if inbox.knows(arrival.id) { return [] }
        var replaced: Set<String> = []
        if isLeftOver, arrival.deferred == nil {
            // It is being received on another thread, which has stored it and is about to put it in.
            if taps.hasHeard(arrival.id) { return [] }
            // A tap from before the files were read replaces it.
            guard !taps.hasArrived(arrival.tap) else {
                inbox.take(arrival.id)
                return [arrival.id]
            }
            // Likewise it replaces an older one that the app could not handle before it was killed.
            replaced = inbox.replaceLeftOvers(of: arrival.tap)
        }
        var key: IdempotencyKey?
        if arrival.deferred == nil, routing.route(of: link) != .direct {
            let recordsClick = arrival.click != nil
            key = join(
                LinkQuestion(
                    key: arrival.click ?? unrecorded, link: link, recordsClick: recordsClick, acceptedAt: acceptedAt))
        }
        let dropped = inbox.add(
            .init(arrival: arrival, link: link, acceptedAt: acceptedAt, isLeftOver: isLeftOver, question: key))
        return replaced.union([dropped].compactMap { $0 })
    }

    /// The key for this question: that of an equal question under way, else its own.
    mutating func join(_ question: LinkQuestion) -> IdempotencyKey {
        if !question.recordsClick {
            let same = questions.values.filter { !$0.recordsClick && $0.link == question.link && $0.failure == nil }
            if let key = same.map(\.key).min(by: { $0.rawValue < $1.rawValue }) { return key }
        }
        ask(question)
        return question.key
    }
}
