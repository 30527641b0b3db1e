// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension AttributionClaim {
    /// The claim as it is stored: its source in lower case.
    /// - Throws: ``InstallError/reservedSource(_:)`` for a source that only the server reports, in any spelling;
    ///   ``InstallError/invalidValue(_:)``.
    func checked() throws(InstallError) -> AttributionClaim {
        var checked = self
        checked.source = AttributionSource(source.rawValue.lowercased())
        if AttributionSource.reserved.contains(checked.source) { throw .reservedSource(checked.source) }
        let name = checked.source.rawValue.utf8
        guard (1...Limits.source).contains(name.count), name.allSatisfy(Self.isAllowedInSource) else {
            throw .invalidValue("'source' needs 1 to \(Limits.source) of a-z, 0-9, dot, hyphen and underscore.")
        }
        for (field, value) in [
            ("channel", channel), ("campaign", campaign), ("ad_group", adGroup), ("ad_set", adSet), ("creative", creative),
        ] where (value?.utf8.count ?? 0) > Limits.attributionText {
            throw .invalidValue("'\(field)' needs at most \(Limits.attributionText) bytes.")
        }
        return checked
    }

    private static func isAllowedInSource(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension AttributionFact {
    /// An app's report about another provider, as an unverified fact.
    /// - Parameter claim: ``AttributionClaim/checked()``.
    init(_ claim: AttributionClaim, nowMs: Int64) {
        self.init(
            id: "claim:\(claim.key.rawValue)", source: claim.source, status: claim.status,
            saidAtMs: nowMs - ReportedAge.bounded(claim.ageMilliseconds), recordedAtMs: nowMs
        )
        channel = claim.channel
        campaign = claim.campaign
        adGroup = claim.adGroup
        adSet = claim.adSet
        creative = claim.creative
    }

    /// True if both report the same, at any time.
    func repeats(_ other: AttributionFact) -> Bool {
        source == other.source && status == other.status && channel == other.channel && campaign == other.campaign
            && adGroup == other.adGroup && adSet == other.adSet && creative == other.creative
    }
}

extension [AttributionFact] {
    /// Adds an app's report about another provider. Apps repeat a report at every launch; a repeated one adds nothing.
    mutating func add(claim fact: AttributionFact) throws(InstallError) {
        guard !contains(where: { $0.repeats(fact) || $0.id == fact.id }) else { return }
        guard filter({ $0.source != .link }).count < AttributionFact.mostPerInstall else {
            throw .limitReached("This install has \(AttributionFact.mostPerInstall) attribution facts; it takes no more.")
        }
        append(fact)
    }
}
