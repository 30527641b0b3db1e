// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    mutating func variations(
        _ node: ConfigurationNode, of experiment: ExperimentID, _ what: String, _ context: ExperimentContext
    ) -> [Variation]? {
        guard let entries = entries(node, of: "'variations'") else { return nil }
        guard (1...Experiment.mostVariations).contains(entries.count) else {
            note(node.place, "\(what) has \(entries.count) variations. Write 1 to \(Experiment.mostVariations); the first is the control.")
            return nil
        }
        let noted = problems.count
        var variations: [Variation] = []
        for entry in entries {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A variation", longest: Experiment.longestVariation)
            if let variation = variation(entry, of: experiment, context), isName { variations.append(variation) }
        }
        guard variations.count == entries.count else { return nil }
        if problems.count == noted, variations.allSatisfy({ $0.weight == 0 }) {
            note(node.place, "No variation of \(what.prefix(1).lowercased() + what.dropFirst()) has a weight above 0. Give one at least 1.")
        }
        return variations
    }

    private mutating func variation(
        _ entry: ConfigurationNode.Entry, of experiment: ExperimentID, _ context: ExperimentContext
    ) -> Variation? {
        let what = "The variation '\(entry.key.shortened)'"
        let fields = fields(entry.value, of: what, required: ["weight"], optional: ["paywall", "remoteConfig", "nothing"])
        guard let fields else { return nil }
        let weight = whole(fields["weight"], "'weight'", in: 0...Experiment.largestWeight)
        let isNothing = flag(fields["nothing"], "'nothing'") ?? false
        let paywall = reference(fields["paywall"], "paywall", context.paywalls)
        guard isNothing != (fields["paywall"] != nil) else {
            note(entry.keyPlace, "\(what) needs either 'paywall: …' or 'nothing: true'. Write one of them.")
            return nil
        }
        let name = VariationName(entry.key)
        if isNothing {
            if let node = fields["remoteConfig"] {
                note(node.place, "\(what) shows nothing, so its remote config is never read. Remove it.")
            }
            return weight.map { Variation(name: name, weight: $0, assigned: nil, plain: nil) }
        }
        guard let paywall else { return nil }
        let replaced = fields["remoteConfig"].map { self.replaced($0, in: paywall, context) } ?? [:]
        guard let weight else { return nil }
        let plain = replaced.isEmpty ? paywall : paywall.replacing(replaced, as: nil)
        let id = VariationID("\(experiment.rawValue):\(entry.key)")
        let assigned = paywall.replacing(replaced, as: id)
        if let node = fields["remoteConfig"] { checkSize(of: assigned, made: paywall, by: node, what) }
        return Variation(name: name, weight: weight, assigned: assigned, plain: plain, replaced: replaced)
    }

    /// Notes the locales in which the paywall is too large with what the variation replaces.
    private mutating func checkSize(of assigned: Paywall, made paywall: Paywall, by node: ConfigurationNode, _ what: String) {
        guard case .mapping(let entries) = node.content else { return }
        for entry in entries {
            guard let locale = LocaleCode(rawValue: entry.key) else { continue }
            let size = assigned.localized(for: locale).json.count
            // A paywall that is too large itself has its own problem.
            guard size > Self.largestPaywall, paywall.localized(for: locale).json.count <= Self.largestPaywall else { continue }
            note(
                entry.keyPlace,
                "\(what) and the paywall '\(paywall.id)' have \(size / 1024) KiB together in this locale; at most \(Self.largestPaywall / 1024) KiB fit. Shorten one of the remote configs.")
        }
    }

    /// The top-level keys that a variation replaces in the remote config of its paywall, per locale.
    private mutating func replaced(
        _ node: ConfigurationNode, in paywall: Paywall, _ context: ExperimentContext
    ) -> [LocaleCode: [String: JSONValue]] {
        var replaced: [LocaleCode: [String: JSONValue]] = [:]
        let known = paywall.locales
        for entry in entries(node, of: "'remoteConfig'") ?? [] {
            guard let locale = LocaleCode(rawValue: entry.key), known.isEmpty || known.contains(locale) else {
                note(
                    entry.keyPlace,
                    "The paywall '\(paywall.id)' has no remote config in '\(entry.key.shortened)', so there is nothing to replace.\(Suggestion.sentence(for: entry.key, among: known.map(\.rawValue)))")
                continue
            }
            guard case .mapping = entry.value.content, case .object(let values)? = json(entry.value) else {
                note(entry.value.place, "The remote config of '\(locale)' is not a mapping. Write the keys to replace, with their values.")
                continue
            }
            if replaced.updateValue(values, forKey: locale) != nil {
                note(entry.keyPlace, "The locale '\(locale)' is here a second time. Keep one of them.")
            }
            check(entry.value, replacingIn: context.paywallNode?[paywall.id.rawValue], locale)
        }
        if known.isEmpty, replaced.count > 1 {
            note(node.place, "The paywall '\(paywall.id)' has no remote config, so only one locale can be added to it. Give the paywall a default locale.")
        }
        return replaced
    }

    /// Checks the result of the replacement by the paywall's schema.
    private mutating func check(_ replacing: ConfigurationNode, replacingIn paywall: ConfigurationNode?, _ locale: LocaleCode) {
        guard let schemaNode = paywall?["schema"], case .mapping(let new) = replacing.content else { return }
        // What is wrong with the schema or the paywall itself is noted at its own place.
        var scratch = ConfigurationReader(secrets: secrets)
        guard let schema = scratch.remoteConfigSchema(schemaNode) else { return }
        var merged = new
        if case .mapping(let locales)? = paywall?["remoteConfig"]?.content,
            case .mapping(let old)? = locales.first(where: { LocaleCode(rawValue: $0.key) == locale })?.value.content
        {
            merged = old.filter { entry in !new.contains { $0.key.hasSameBytes(as: entry.key) } } + new
        }
        scratch.check(ConfigurationNode(place: replacing.place, content: .mapping(merged)), of: locale, by: schema)
        for problem in scratch.problems where !problems.contains(problem) { note(problem.place, problem.message) }
    }
}

extension Paywall {
    /// The same with other values for some top-level keys of its remote config.
    /// - Parameter variation: its name in answers; nil for its own name.
    func replacing(_ replaced: [LocaleCode: [String: JSONValue]], as variation: VariationID?) -> Paywall {
        let original = rendered(for: nil)
        var configs = Dictionary(
            uniqueKeysWithValues: locales.compactMap { locale in
                rendered(for: locale).remoteConfig.map { (locale, $0.value) }
            })
        for (locale, values) in replaced {
            guard case .object(let fields)? = configs[locale] else {
                configs[locale] = .object(values)
                continue
            }
            configs[locale] = .object(fields.merging(values) { _, new in new })
        }
        let byDefault = original.remoteConfig.flatMap { LocaleCode(rawValue: $0.locale) } ?? replaced.keys.first
        return Paywall(
            id: id, variationID: variation, productIDs: original.productIds, defaultLocale: byDefault, remoteConfig: configs)
    }
}
