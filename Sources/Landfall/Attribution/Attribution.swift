// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// The state of an install's attribution: where did this user come from?
public enum Attribution: Hashable, Sendable {
    /// No answer yet.
    case pending
    case attributed(AttributionDetails)
    /// The answer is that no ad or link brought this install (organic).
    case notAttributed
    /// There is no answer in this launch; waiting is useless.
    case unavailable(UnavailableReason)

    public var isPending: Bool { self == .pending }

    /// Where the user came from; nil in the other states.
    public var details: AttributionDetails? { if case .attributed(let details) = self { details } else { nil } }

    init(_ wire: LandfallWire.Attribution) {
        switch wire {
        case .pending: self = .pending
        case .attributed(let details): self = .attributed(AttributionDetails(details))
        case .notAttributed: self = .notAttributed
        case .unavailable(let reason): self = .unavailable(reason)
        }
    }
}

/// The result of another attribution provider, see
/// ``LandfallClient/reportAttribution(source:status:channel:campaign:adGroup:adSet:creative:)``.
public enum AttributionStatus: String, Hashable, Sendable, CaseIterable {
    case organic, nonOrganic = "non_organic", unknown

    var wire: AttributionClaim.Status {
        switch self {
        case .organic: .organic
        case .nonOrganic: .nonOrganic
        case .unknown: .unknown
        }
    }
}
