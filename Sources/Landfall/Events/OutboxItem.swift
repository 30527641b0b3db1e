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
    /// Sent with a first open, or when that has left by a call of its own.
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

    /// What a flush sends.
    var isForFlush: Bool {
        switch self {
        case .event, .claim, .attributes, .click: true
        case .arrival, .deferredToken: false
        }
    }

    /// False for what is dropped, and accepted no more, in this mode.
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
    /// At most 100 events, the oldest first; the answer tells what became of each.
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

/// What became of one request of a flush.
enum OutboxVerdict: Hashable, Sendable {
    /// The server took it: it leaves. A batch of events has a result for each of them; one without stays.
    case taken([EventBatchAnswer.Result] = [])
    /// The server will never take it (a final 4xx): it leaves and is logged.
    case refused(ErrorCode)
    /// Not now, for a reason that concerns nothing else: it stays, the flush goes on, and another follows.
    case laterAlone
    /// Another request has taken charge of it: it stays, and the flush goes on.
    case elsewhere
    /// Network, 5xx, rate limit, a stranger's answer, a wrong key: everything stays and the flush ends.
    case later
}
