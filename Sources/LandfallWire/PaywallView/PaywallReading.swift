// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Reads remote config for the ready paywall, and notes what it cannot use.
struct PaywallReading {
    private(set) var problems: [PaywallContent.Problem] = []

    private mutating func note(_ path: String, _ reason: String) { problems.append(.init(path: path, reason: reason)) }

    // MARK: Single values; nil if there is none, or another kind of value

    /// An empty text counts as missing.
    mutating func text(_ value: JSONValue?, _ path: String) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { return noted(path, "is no text") }
        return text.isEmpty ? nil : text
    }

    mutating func flag(_ value: JSONValue?, _ path: String) -> Bool? {
        guard let value, !value.isNull else { return nil }
        return value.bool ?? noted(path, "is neither true nor false")
    }

    mutating func object(_ value: JSONValue?, _ path: String) -> [String: JSONValue]? {
        guard let value, !value.isNull else { return nil }
        return value.object ?? noted(path, "is no object")
    }

    mutating func address(_ value: JSONValue?, _ path: String) -> URL? {
        guard let text = text(value, path) else { return nil }
        guard text.utf8.count <= Limits.address, let url = URL(string: text), url.scheme?.lowercased() == "https", url.host?.isEmpty == false
        else { return noted(path, "is no address that begins with https://") }
        return url
    }

    mutating func product(_ value: JSONValue?, _ path: String, of productIDs: [String]) -> String? {
        guard let id = text(value, path) else { return nil }
        return productIDs.contains(id) ? id : noted(path, "is no product of this paywall")
    }

    private mutating func noted<Value>(_ path: String, _ reason: String) -> Value? {
        note(path, reason)
        return nil
    }

    private mutating func list(_ value: JSONValue?, _ path: String, most: Int) -> [(element: JSONValue, path: String)] {
        guard let value, !value.isNull else { return [] }
        guard let list = value.array else { return noted(path, "is no list") ?? [] }
        if list.count > most { note(path, "has more than \(most) elements; the others are not drawn") }
        return list.prefix(most).enumerated().map { ($1, "\(path)[\($0)]") }
    }

    // MARK: Features and products

    mutating func features(_ value: JSONValue?) -> [PaywallContent.Feature] {
        list(value, "features", most: Limits.paywallFeatures).compactMap { element, path in
            if let title = element.string { return .init(title: title, detail: nil, symbol: Self.symbol) }
            guard let members = object(element, path) else { return nil }
            guard let title = text(members["title"], path + ".title") else { return noted(path, "has no title") }
            return .init(
                title: title, detail: text(members["detail"], path + ".detail"),
                symbol: text(members["symbol"], path + ".symbol") ?? Self.symbol)
        }
    }

    private static let symbol = "checkmark"

    mutating func products(_ value: JSONValue?, _ productIDs: [String]) -> [PaywallContent.Product] {
        var said: [String: PaywallContent.Product] = [:]
        for (element, path) in list(value, "products", most: Limits.paywallProducts) {
            guard let members = object(element, path) else { continue }
            guard let id = product(members["id"], path + ".id", of: productIDs) else {
                if members["id"] == nil { note(path, "has no id") }
                continue
            }
            said[id] = .init(
                id: id, name: text(members["name"], path + ".name"), detail: text(members["detail"], path + ".detail"),
                badge: text(members["badge"], path + ".badge"))
        }
        var seen: Set<String> = []
        let all = productIDs.filter { seen.insert($0).inserted }
        return all.prefix(Limits.paywallProducts).map { said[$0] ?? .init(id: $0, name: nil, detail: nil, badge: nil) }
    }

    // MARK: Colours

    mutating func colors(_ value: JSONValue?) -> PaywallColors {
        let members = object(value, "colors") ?? [:]
        let (accent, onAccent) = (pair(members, "accent"), pair(members, "onAccent"))
        let (background, text) = (pair(members, "background"), pair(members, "text"))
        if text != nil, background == nil { note("colors.text", "needs colors.background: the system's may be as dark or as light as the text") }
        if onAccent != nil, accent == nil { note("colors.onAccent", "needs colors.accent") }
        let colors = PaywallColors(accent: accent, onAccent: onAccent, background: background, text: text)
        return PaywallColors(
            accent: accent, onAccent: readable(colors.onAccent, on: accent, "colors.onAccent"), background: background,
            text: readable(colors.text, on: background, "colors.text"))
    }

    private mutating func pair(_ members: [String: JSONValue], _ name: String) -> PaywallColors.Pair? {
        let path = "colors." + name
        guard let value = members[name], !value.isNull else { return nil }
        if value.string != nil { return color(value, path).map { .init(light: $0, dark: $0) } }
        guard let members = value.object else { return noted(path, Self.noColor) }
        guard let light = color(members["light"], path + ".light"), let dark = color(members["dark"], path + ".dark") else { return nil }
        return .init(light: light, dark: dark)
    }

    private mutating func color(_ value: JSONValue?, _ path: String) -> PaywallColor? {
        value?.string.flatMap(PaywallColor.init(hex:)) ?? noted(path, Self.noColor)
    }

    private static let noColor = "is no colour such as #0B6B5B, nor light and dark ones"

    /// nil for a colour that nobody could read there.
    private mutating func readable(_ color: PaywallColors.Pair?, on ground: PaywallColors.Pair?, _ path: String) -> PaywallColors.Pair? {
        guard let color, let ground, color.contrast(with: ground) < 4.5 else { return color }
        return noted(path, "is hard to read on the colour behind it: the contrast is below 4.5")
    }

    // MARK: Words

    mutating func words(_ top: [String: JSONValue], _ locale: String) -> PaywallWords {
        var words = PaywallWords(locale: locale)
        var missing = Set(PaywallWord.allCases)
        for group in ["buttons", "words"] {
            let members = object(top[group], group) ?? [:]
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                let path = "\(group).\(key)"
                guard let word = PaywallWord(rawValue: key), word.group == group else { note(path, "is no text of the ready paywall"); continue }
                if word.isCounted, let counts = value.object { set(word, counts, path, &words) } else if let text = template(value, path, word) {
                    words.set(word, to: text)
                } else { continue }
                missing.remove(word)
            }
        }
        if !words.isOfLocale, !missing.isEmpty {
            let names = missing.map { "\($0.group).\($0)" }.sorted().joined(separator: ", ")
            note("words", "has no texts in '\(locale)' for: \(names). They are English")
        }
        return words
    }

    /// `{ "2": "два месяца", other: "{count} месяцев" }`
    private mutating func set(_ word: PaywallWord, _ counts: [String: JSONValue], _ path: String, _ words: inout PaywallWords) {
        for (key, value) in counts.sorted(by: { $0.key < $1.key }) {
            let path = "\(path).\(key)"
            if key == "other" {
                if let text = template(value, path, word) { words.set(word, to: text) }
            } else if let count = Int(key), count > 1 {
                if let text = template(value, path, word, saysCount: true) { words.set(word, for: count, to: text) }
            } else {
                note(path, "is neither a number above 1 nor 'other'")
            }
        }
    }

    /// - Parameter saysCount: the text is for one count only, so it may say it without a placeholder.
    private mutating func template(_ value: JSONValue, _ path: String, _ word: PaywallWord, saysCount: Bool = false) -> String? {
        guard let text = text(value, path) else { return nil }
        let needed = word.placeholders.filter { !(saysCount && $0 == "count") }
        guard let lacking = needed.first(where: { !text.contains("{\($0)}") }) else { return text }
        return noted(path, "lacks {\(lacking)}")
    }
}
