// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What the outbox keeps until the server has taken it.
enum OutboxItem: Hashable, Sendable {
    case event(Event)
    case claim(AttributionClaim)
    case attributes(AttributeChanges)
    case click(LinkClick)
    /// Kept for the app, not for the server.
    case arrival(LinkArrival)
    /// Sent with a first open, or by a separate call if the first open has been sent already.
    case deferredToken(DeferredToken)

    /// Unique among all items; the server does the work once per id.
    var id: String {
        switch self {
        case .event(let event): event.id
        case .claim(let claim): claim.key.rawValue
        case .attributes(let changes): changes.key.rawValue
        case .click(let click): click.key.rawValue
        case .arrival(let arrival): arrival.id
        case .deferredToken(let token): token.key.rawValue
        }
    }

    var isEvent: Bool { if case .event = self { true } else { false } }
    var hasAssignment: Bool { if case .event(let event) = self { event.assignment != nil } else { false } }

    /// True for the items that a flush sends.
    var isForFlush: Bool {
        switch self {
        case .event, .claim, .attributes, .click: true
        case .arrival, .deferredToken: false
        }
    }

    /// False if this mode drops such an item when it waits, and accepts no new one.
    func isAllowed(in mode: CollectionMode) -> Bool {
        switch self {
        case .event(let event): mode == .full || mode != .off && Event.Kind.reserved.contains(event.type)
        case .click: mode != .off
        case .claim, .attributes, .arrival, .deferredToken: true
        }
    }
}

/// One request that a flush makes.
enum OutboxCall: Hashable, Sendable {
    /// At most 100 events, the oldest first; the answer has a result for each.
    case events(EventBatch)
    case claim(AttributionClaim)
    case attributes(AttributeChanges)
    case click(LinkOpenRequest)

    /// Where the call goes, by POST.
    var path: String {
        switch self {
        case .events: WirePath.events
        case .claim: WirePath.attribution
        case .attributes: WirePath.attributes
        case .click: WirePath.linkOpen
        }
    }

    /// The keys of its items, as the outbox has them.
    var keys: Set<String> {
        switch self {
        case .events(let batch): Set(batch.events.map(\.id))
        case .claim(let claim): [claim.key.rawValue]
        case .attributes(let changes): [changes.key.rawValue]
        case .click(let request): [request.key.rawValue]
        }
    }

    /// The body of the request.
    var body: any Encodable & Sendable {
        switch self {
        case .events(let batch): batch
        case .claim(let claim): claim
        case .attributes(let changes): changes
        case .click(let request): request
        }
    }
}

/// The result of one request of a flush.
enum OutboxVerdict: Hashable, Sendable {
    /// The server accepted the item, which leaves the outbox. A batch of events has a result for each; an event without one stays,
    /// and after a batch without any result the flush leaves out all events.
    case taken([EventBatchAnswer.Result] = [])
    /// The server will never accept the item (a final 4xx): it leaves the outbox, and the log says so.
    case refused(ErrorCode)
    /// Not now, for a reason that concerns only this item: it stays, and is tried again apart from the others. See ``HeldBack``.
    case laterAlone
    /// Another request sends it: it stays, and the flush continues.
    case elsewhere
    /// Network, 5xx, rate limit, another server's answer, a wrong key: everything stays and the flush ends.
    case later
}

/// What a flush has left in the outbox.
enum OutboxRest: Hashable, Sendable {
    case nothing
    /// Only these, for reasons of their own.
    case items(Set<String>)
    /// All that it came to after the server could not be reached, or all events after an answer without a result.
    case everything
}

extension OutboxItem {
    var attributeChanges: AttributeChanges? { if case .attributes(let changes) = self { changes } else { nil } }
    var click: LinkClick? { if case .click(let click) = self { click } else { nil } }
}
