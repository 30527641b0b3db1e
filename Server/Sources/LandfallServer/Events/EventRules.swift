// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Event {
    /// Why the event can never be stored; nil where it can.
    var refusal: ErrorCode? {
        // Five hundred of them come at a time, so that no list is made of what is looked at.
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
        if hasNul || id.utf8.contains(0) || type.rawValue.utf8.contains(0) { return .forbiddenCharacter }
        let isValid =
            id.isLowerCaseUUID && (1...64).contains(type.rawValue.utf8.count)
            && type.rawValue.utf8.allSatisfy(Self.isAllowedInType)
            && ageMilliseconds >= 0 && longest <= Limits.eventText
        return isValid ? nil : .invalidValue
    }

    func occurredAtMs(nowMs: Int64) -> Int64 { nowMs - ReportedAge.bounded(ageMilliseconds) }

    private static func isAllowedInType(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
