// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The values that the attributes of a rule can be compared with: those that installs have, those that the server knows, and those
/// that audiences of the file use.
struct AudienceSuggestions: Sendable {
    struct Value: Hashable, Sendable {
        let text: String
        /// Of the installs of the sample, rounded; nil for a value that nobody counted, or that few have.
        var share: Double?
    }

    /// Of each attribute at most so many values, from at most so many audiences.
    private static let most = 50, mostLookedAt = 500
    /// A longer rule has them for its first attributes.
    private static let mostAttributes = 20

    private(set) var values: [String: [Value]] = [:]
    private var ads = AppleAdsSuggestions()
    private let wanted: Set<ExactText>

    /// - Parameter drawn: nil while no installs are drawn: then no value has a share.
    init(
        for rule: AudienceRule, in document: ConfigurationDocument, _ choices: AttributeChoices, ads: AppleAdsSuggestions = AppleAdsSuggestions(),
        drawn: AudienceSample.Drawn? = nil
    ) {
        self.ads = ads
        var attributes: [String] = []
        for (_, line) in rule.lines where choices.subject(line.attribute) != nil && !attributes.contains(line.attribute) {
            attributes.append(line.attribute)
        }
        wanted = Set(attributes.prefix(Self.mostAttributes).map { ExactText($0) })
        if let drawn { for attribute in attributes.prefix(Self.mostAttributes) { add(attribute, choices, drawn) } }
        for platform in ["ios", "macos", "tvos", "watchos", "visionos"] { add(platform, to: AudienceAttribute.platform.rawValue) }
        for source in [AttributionSource.appleAds, .link] { add(source.rawValue, to: AudienceAttribute.attributionSource.rawValue) }
        for (attribute, ids) in ads.ids { for id in ids { add(id, to: attribute) } }
        for level in document.accessLevels {
            for state in AccessField.states { add(state, to: AccessField.state.name(of: level)) }
        }
        for product in document.entries("products") { add(product.key, to: AudienceAttribute.purchasesProducts.rawValue) }
        for audience in document.entries("audiences").prefix(Self.mostLookedAt) {
            for (_, line) in AudienceRule(audience.value)?.lines ?? [] where ["is", "isNot"].contains(line.operation) {
                add(line.value, to: line.attribute)
            }
        }
    }

    private mutating func add(_ attribute: String, _ choices: AttributeChoices, _ drawn: AudienceSample.Drawn) {
        guard let subject = choices.subject(attribute), [.text, .locale, .version, .list].contains(subject.kind) else { return }
        values[attribute] = drawn.values(of: subject, most: Self.most).map { value, count in
            // A share of exact numbers would tell a small rest.
            Value(text: value, share: Double(count / MatchSample.fewest * MatchSample.fewest) / Double(drawn.members.count))
        }
    }

    private mutating func add(_ value: String, to attribute: String) {
        guard wanted.contains(ExactText(attribute)), !value.isEmpty, values[attribute]?.count ?? 0 < Self.most,
            values[attribute]?.contains(where: { $0.text.hasSameBytes(as: value) }) != true
        else { return }
        values[attribute, default: []].append(Value(text: value))
    }

    /// The id of an attribute's list.
    static func list(_ attribute: String) -> String { "values." + attribute }

    func html(_ words: Words) -> HTML {
        HTMLBuilder.buildArray(
            values.sorted { $0.key < $1.key }.map { attribute, values in
                datalist(.id(Self.list(attribute))) {
                    for value in values { option(.value(value.text)) { note(value, attribute, words) } }
                }
            })
    }

    /// What a person wants to know of a value: the name of an id, and how many have it.
    private func note(_ value: Value, _ attribute: String, _ words: Words) -> String {
        let share = value.share.map { words.ofInstalls(words.about(words.language.share($0))) }
        return [ads.name(of: value.text, attribute), share].compactMap { $0 }.joined(separator: " · ")
    }
}
