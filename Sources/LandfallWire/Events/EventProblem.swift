// SPDX-License-Identifier: Apache-2.0

/// Why an own event cannot be stored. Phone and server ask the same question, so that the phone can say it at once.
public enum EventProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case type(String)
    /// Landfall sends events of this type itself.
    case reservedType(String)
    case value
    case currency(String)
    case currencyWithoutValue
    case tooManyProperties(Int)
    case propertyName(String)
    case propertyValue(of: String)

    public var description: String {
        switch self {
        case .type(let type): "The event type '\(type.cut(toBytes: 64))' must have 1 to 64 of [a-z0-9_.]. Choose another name."
        case .reservedType(let type): "Events of type '\(type)' are recorded by the SDK itself. Choose another name."
        case .value: "The value is not a number between -999,999,999,999.999 and 999,999,999,999.999."
        case .currency(let text): "The currency '\(text.cut(toBytes: 16))' is not three capitals, such as EUR."
        case .currencyWithoutValue: "The event has a currency and no value. Add the value or leave out the currency."
        case .tooManyProperties(let count): "The event has \(count) properties; at most \(Limits.eventProperties) fit."
        case .propertyName(let name):
            "The name of the property '\(name.cut(toBytes: 64))' must have 1 to \(Limits.eventPropertyName) of [A-Za-z0-9._-]."
        case .propertyValue(let name):
            """
            The value of the property '\(name)' has more than \(Limits.eventPropertyText) bytes, U+0000, or too many combining marks in a \
            row, or is not a finite number.
            """
        }
    }
}

extension Event.Kind {
    /// A call returned an answer that an experiment decided, whether it shows a paywall or nothing.
    public static let paywallDecided = Event.Kind("paywall_decided")
    /// The types that the SDK records itself: an own event cannot have one of them.
    public static let reserved: [Event.Kind] = [.paywallShown, .paywallDecided]

    /// 1…64 of `[a-z0-9_.]`.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension Event {
    /// True if everything that the app itself adds is within the limits.
    public func checkContent() throws(EventProblem) {
        if let value, !value.isStorable { throw .value }
        if let currency {
            let isCode = currency.utf8.count == 3 && currency.utf8.allSatisfy { (65...90).contains($0) }
            guard isCode else { throw .currency(currency) }
            guard value != nil else { throw .currencyWithoutValue }
        }
        guard let properties else { return }
        guard properties.count <= Limits.eventProperties else { throw .tooManyProperties(properties.count) }
        for (name, value) in properties {
            guard (1...Limits.eventPropertyName).contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfPropertyName) else {
                throw .propertyName(name)
            }
            switch value {
            case .string(let text)
            where text.utf8.count > Limits.eventPropertyText || text.utf8.contains(0) || !CombiningMarks.areFew(in: text):
                throw .propertyValue(of: name)
            case .number(let number) where !number.isFinite: throw .propertyValue(of: name)
            default: continue
            }
        }
    }

    private static func isOfPropertyName(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95: true
        default: false
        }
    }
}
