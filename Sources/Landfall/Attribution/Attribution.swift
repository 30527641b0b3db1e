// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// Where an install stands with the question "where did this user come from?".
public enum Attribution: Hashable, Sendable {
    /// No answer yet.
    case pending
    case attributed(AttributionDetails)
    /// Asked and answered: nobody claims this install (organic).
    case notAttributed
    /// There will be no answer in this launch; nobody needs to wait.
    case unavailable(UnavailableReason)

    public var isPending: Bool { self == .pending }

    /// What is known of where the user came from; nil in the other states.
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

/// How far another provider's answer goes, see
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
