// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What a condition can look at, by the file: the attributes in groups, and what each can be asked.
struct AttributeChoices: Sendable {
    enum Group: CaseIterable, Hashable, Sendable { case source, appleAds, link, device, app, purchases, own, named }

    let groups: [(group: Group, ids: [String])]
    let segments: [String]
    /// Of each kind of names that the file has, a choice offers so many; more can be written as YAML.
    private static let most = 200
    /// Of a group in a long form.
    private static let fewest = 50

    /// How many attributes a choice offers.
    var count: Int { groups.reduce(0) { $0 + $1.ids.count } }

    private let types: [String: AttributeType]
    private let levels: [AccessLevel]

    init(_ document: ConfigurationDocument) {
        types = Dictionary(
            document.entries("attributes").compactMap { entry in
                entry.value.text.flatMap { AttributeType(rawValue: $0) }.map { (entry.key, $0) }
            }, uniquingKeysWith: { first, _ in first })
        levels = document.accessLevels
        segments = document.entries("segments").prefix(Self.most).map(\.key)
        let access = levels.flatMap { level in AccessField.allCases.map { $0.name(of: level) } }.prefix(Self.most)
        let known = Dictionary(grouping: AudienceAttribute.allCases, by: Self.group)
        let own = document.entries("attributes").prefix(Self.most).map { ConditionSubject.customPrefix + $0.key }
        let hasSegments = !segments.isEmpty
        groups = Group.allCases.map { group in
            switch group {
            case .own: (group, own)
            case .named: (group, (hasSegments ? [AudienceRule.Line.segment] : []) + [AudienceRule.Line.share])
            case .purchases: (group, (known[group] ?? []).map(\.rawValue) + access)
            default: (group, (known[group] ?? []).map(\.rawValue))
            }
        }.filter { !$0.ids.isEmpty }
    }

    private static func group(_ attribute: AudienceAttribute) -> Group {
        switch attribute {
        case .attributionSource, .attributionSources, .attributionStatus, .attributionChannel, .attributionCampaign, .attributionAdGroup,
            .attributionAdSet, .attributionCreative:
            .source
        case .attributionKeyword, .attributionAd, .attributionClaimType, .attributionConversionType, .attributionCountry, .attributionTest:
            .appleAds
        case .linkCampaign, .linkAdGroup, .linkCreative, .linkChannel, .linkKeyword, .linkCode, .linkDate: .link
        case .country, .language, .locale, .platform, .osVersion, .deviceModel, .deviceClass, .testDevice: .device
        case .appVersion, .installDate, .installLastSeen: .app
        case .purchasesAny, .purchasesProducts: .purchases
        }
    }

    /// The groups of a choice. In a long form each choice has the group of its attribute only: a page has a limit.
    func groups(around id: String, isLong: Bool) -> [(group: Group, ids: [String])] {
        guard isLong, let own = groups.first(where: { $0.ids.contains(id) }) else { return groups }
        return [(own.group, Array(own.ids.prefix(Self.fewest)))]
    }

    /// What the fields show, where they cannot show what was typed: another attribute may be compared in other ways.
    func settle(_ line: inout AudienceRule.Line) {
        if line.attribute == AudienceRule.Line.segment, line.value.isEmpty { line.value = segments.first ?? "" }
        guard let subject = subject(line.attribute) else { return }
        let operations = operations(line.attribute)
        if !operations.contains(line.operation) { line.operation = operations.first ?? "" }
        if subject.kind == .boolean, !["true", "false"].contains(line.value.lowercased()) { line.value = "true" }
    }

    /// Nil if no attribute has the name.
    func subject(_ id: String) -> ConditionSubject? { ConditionSubject(id, types: types, levels: levels) }

    /// What the attribute can be asked; everything, while none is chosen.
    func operations(_ id: String) -> [String] {
        let symbols = subject(id).map { ConditionOperator.all(for: $0) } ?? ConditionOperator.allCases.filter { $0 != .share }
        return symbols.flatMap { $0 == .exists ? [$0.rawValue, AudienceRule.Line.missing] : [$0.rawValue] }
    }
}
