// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// How the values of conditions are read and checked, so that a value that could never match is a problem, not a silence.
extension ConditionSubject {
    private static let statuses = ["attributed", "notAttributed", "pending", "unavailable"]

    func text(_ node: ConfigurationNode, _ attribute: TextAttribute, _ reader: inout ConfigurationReader) -> String? {
        guard let text = reader.text(node, "A value of '\(attribute.rawValue)'") else { return nil }
        let value = attribute.normalised(text)
        guard let advice = advice(against: value, of: attribute) else { return value }
        reader.note(node.place, "'\(attribute.rawValue)' is never '\(text.shortened)'.\(advice)")
        return nil
    }

    private func advice(against value: String, of attribute: TextAttribute) -> String? {
        switch attribute {
        case .attributionStatus: Self.statuses.contains(value) ? nil : Suggestion.sentence(for: value, among: Self.statuses)
        case .attributionSource: sourceAdvice(value)
        case .country, .attributionCountry:
            value.utf8.count == 2 && value.allSatisfy(\.isASCIIWord) ? nil : " Write the two letters of ISO 3166, such as US."
        case .language:
            (2...8).contains(value.utf8.count) && value.allSatisfy { $0.isASCII && $0.isLetter }
                ? nil : " Write the language alone, such as en, without a region."
        case .linkCode: value.contains("/") ? nil : " Write host and path of the link, such as links.example.com/beach."
        default: nil
        }
    }

    private func sourceAdvice(_ value: String) -> String? {
        let letters = value.filter(\.isLetter)
        let isAppleAds =
            ["appleads", "applesearchads", "asa"].contains(letters) && value != AttributionSource.appleAds.rawValue
        return isAppleAds ? " Write '\(AttributionSource.appleAds.rawValue)'." : nil
    }

    func version(_ node: ConfigurationNode, _ attribute: VersionAttribute, _ reader: inout ConfigurationReader)
        -> SemanticVersion?
    {
        guard let text = reader.text(node, "A value of '\(attribute.rawValue)'") else { return nil }
        if let version = SemanticVersion(text) { return version }
        reader.note(node.place, "'\(text.shortened)' is not a version. Write numbers and dots, such as 2.10 or 2.10.0-beta.1.")
        return nil
    }

    func number(_ node: ConfigurationNode, _ name: String, _ reader: inout ConfigurationReader) -> Double? {
        switch reader.json(node) {
        case .integer(let value): return Double(value)
        case .number(let value): return value
        case nil: return nil
        default:
            reader.note(node.place, "A value of '\(name)' is a number. Write it without quotes.")
            return nil
        }
    }
}
