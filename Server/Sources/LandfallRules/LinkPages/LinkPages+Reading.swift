// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    private static let mostLocales = 100

    mutating func linkPages(_ node: ConfigurationNode) -> LinkPageSettings {
        var settings = LinkPageSettings()
        guard let fields = fields(node, of: "'linkPages'", optional: ["language", "preview", "texts"]) else { return settings }
        let texts = fields["texts"].map { locales($0, of: "'texts'", most: Self.mostLocales) } ?? []
        for text in texts { settings.texts[text.locale] = pageTexts(text.value, in: text.locale) }
        settings.preview = fields["preview"].map { preview($0) } ?? LinkPreview()
        if let node = fields["language"], let language = pageLanguage(node, besides: settings.texts) {
            settings.language = language
        }
        return settings
    }

    /// A language that the server does not bring along needs all texts: no page mixes two languages.
    private mutating func pageTexts(_ node: ConfigurationNode, in locale: LocaleCode) -> PageTexts.Own {
        let keys = PageText.allCases.map(\.rawValue)
        let needed = PageLanguage(for: locale) == nil ? PageText.allCases.filter { $0.standIn == nil }.map(\.rawValue) : []
        let fields = fields(
            node, of: "'\(locale)'", required: needed, optional: ["app"] + keys.filter { !needed.contains($0) })
        guard let fields else { return PageTexts.Own() }
        var own = PageTexts.Own(app: text(fields["app"], "'app'"))
        for key in PageText.allCases {
            own.texts[key] = fields[key.rawValue].flatMap { pageText($0, "'\(key.rawValue)'") }
        }
        return own
    }

    private mutating func pageText(_ node: ConfigurationNode, _ what: String) -> String? {
        guard let text = text(node, what, longest: Limits.previewTitle) else { return nil }
        guard !text.replacing("{app}", with: "").contains(where: { $0 == "{" || $0 == "}" }) else {
            note(node.place, "\(what) has braces that stay as they are: only '{app}' is replaced. Remove or correct them.")
            return nil
        }
        return text
    }

    private mutating func pageLanguage(_ node: ConfigurationNode, besides own: [LocaleCode: PageTexts.Own]) -> LocaleCode? {
        guard let text = text(node, "'language'") else { return nil }
        let locale = LocaleCode(rawValue: text)
        if let locale, own[locale] != nil || PageLanguage(for: locale) != nil { return locale }
        let known = PageLanguage.allCases.map(\.rawValue) + own.keys.map(\.rawValue).sorted()
        note(node.place, "'language' is not a language of the pages.\(Suggestion.sentence(for: text, among: known))")
        return nil
    }

    /// The values of a mapping by locale, in the order of the file.
    mutating func locales(
        _ node: ConfigurationNode, of what: String, most: Int
    ) -> [(locale: LocaleCode, value: ConfigurationNode)] {
        guard let entries = entries(node, of: what) else { return [] }
        guard entries.count <= most else {
            note(node.place, "\(what) has \(entries.count) locales; at most \(most) fit. Remove some.")
            return []
        }
        var seen: [LocaleCode: ConfigurationNode.Place] = [:]
        return entries.compactMap { entry in
            guard let locale = LocaleCode(rawValue: entry.key) else {
                note(entry.keyPlace, "'\(entry.key.shortened)' is not a locale. Write one such as en or pt-BR.")
                return nil
            }
            if let first = seen.updateValue(entry.keyPlace, forKey: locale) {
                note(
                    entry.keyPlace,
                    "The locale '\(locale)' is here a second time; the first is in line \(first.line). Keep one of them.")
                return nil
            }
            return (locale, entry.value)
        }
    }
}
