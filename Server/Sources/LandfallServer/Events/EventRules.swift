// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Event {
    /// Why the event can never be stored; nil where it can.
    var refusal: ErrorCode? {
        let texts = [placement?.rawValue, paywall?.rawValue, variationId?.rawValue, audience?.rawValue, origin].compactMap {
            $0
        }
        if (texts + [id, type.rawValue]).contains(where: { $0.utf8.contains(0) }) { return .forbiddenCharacter }
        let isValid =
            id.isLowerCaseUUID && (1...64).contains(type.rawValue.utf8.count)
            && type.rawValue.utf8.allSatisfy(Self.isAllowedInType)
            && ageMilliseconds >= 0 && texts.allSatisfy { $0.utf8.count <= Limits.eventText }
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
