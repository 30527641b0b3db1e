// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// What the outbox keeps until the server has taken it.
enum OutboxItem: Hashable, Sendable {
    case event(Event)
    case claim(AttributionClaim)
    case attributes(AttributeChanges)

    /// Unique among all items; the server does the work once per id.
    var id: String {
        switch self {
        case .event(let event): event.id
        case .claim(let claim): claim.key.rawValue
        case .attributes(let changes): changes.key.rawValue
        }
    }

    var isEvent: Bool { if case .event = self { true } else { false } }
}

/// One request that a flush makes.
enum OutboxCall: Hashable, Sendable {
    /// At most 100 events, the oldest first; the answer tells what became of each.
    case events(EventBatch)
    case claim(AttributionClaim)
    case attributes(AttributeChanges)

    /// Where the call goes, by POST.
    var path: String {
        switch self {
        case .events: WirePath.events
        case .claim: WirePath.attribution
        case .attributes: WirePath.attributes
        }
    }

    /// The body of the request.
    var body: any Encodable & Sendable {
        switch self {
        case .events(let batch): batch
        case .claim(let claim): claim
        case .attributes(let changes): changes
        }
    }
}

/// What became of one request of a flush.
enum OutboxVerdict: Hashable, Sendable {
    /// The server took it: it leaves. A batch of events has a result for each of them; one without stays.
    case taken([EventBatchAnswer.Result] = [])
    /// The server will never take it (a final 4xx): it leaves and is logged.
    case refused(ErrorCode)
    /// Network, 5xx, rate limit, a stranger's answer, a wrong key: everything stays and the flush ends.
    case later
}
