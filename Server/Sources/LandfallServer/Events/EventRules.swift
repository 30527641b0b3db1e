// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension Event {
    /// Why the event can never be stored; nil if it can.
    var refusal: ErrorCode? {
        // Up to five hundred events come at a time, so no array is allocated for the checked fields.
        var longest = 0, hasNul = false
        func look(at text: String?) {
            guard let text else { return }
            longest = max(longest, text.utf8.count)
            hasNul = hasNul || text.utf8.contains(0)
        }
        look(at: placement?.rawValue)
        look(at: paywall?.rawValue)
        look(at: variationId?.rawValue)
        look(at: audience?.rawValue)
        look(at: origin)
        look(at: assignment?.experiment.rawValue)
        look(at: assignment?.variation.rawValue)
        if hasNul || id.utf8.contains(0) || type.rawValue.utf8.contains(0) { return .forbiddenCharacter }
        let isValid =
            id.isLowerCaseUUID && type.isWellFormed && ageMilliseconds >= 0 && longest <= Limits.eventText
            && assignment?.isPlausible ?? true
        return isValid ? contentRefusal : .invalidValue
    }

    private var contentRefusal: ErrorCode? {
        do throws(EventProblem) {
            try checkContent()
            return nil
        } catch {
            switch error {
            case .tooManyProperties, .propertyName, .propertyValue: return .invalidProperty
            case .type, .reservedType, .value, .currency, .currencyWithoutValue: return .invalidValue
            }
        }
    }

    /// Only for exposures; an impossible value is not kept.
    var keptElapsedMs: Int64? {
        type == .paywallShown ? elapsedMilliseconds.flatMap { (0...Retention.dayMs).contains($0) ? $0 : nil } : nil
    }

    /// Versions count from 1. A number above all milliseconds until the year 9999 is not a version.
    private static let revisions: ClosedRange<Int64> = 1...Instant.latestMs

    /// The version of the configuration that the phone names; nil for a number that no version can have.
    var keptRevision: Int64? { revision.flatMap { Self.revisions.contains($0) ? $0 : nil } }

    func occurredAtMs(nowMs: Int64) -> Int64 { nowMs - ReportedAge.bounded(ageMilliseconds) }
}
