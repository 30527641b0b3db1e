// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What one change of the file means, so that it can be said in the language of the reader. Names, keys and values stay as the
/// file has them.
enum ChangeMeaning: Hashable, Sendable {
    /// What an audience sees at a placement.
    enum Outcome: Hashable, Sendable {
        case paywall(String), experiment(String), nothing
        /// As the file has it.
        case other(String)
    }

    /// - Parameter value: nil where the entry says little.
    case added(section: String, name: String, value: String?)
    case removed(section: String, name: String)
    /// - Parameter before: nil where the audience was not asked; `after`: nil where it is asked no longer.
    case shows(placement: String, audience: String, before: Outcome?, after: Outcome?)
    case order(section: String, name: String, before: [String], after: [String])
    /// - Parameters:
    ///   - name: nil for a section that has no entries.
    ///   - path: below the entry; empty for the entry itself.
    case value(section: String, name: String?, path: String, before: String?, after: String?)

    /// What the file has is `code`: it is the same in every language. English pages have the server's sentence, which says more.
    func html(_ words: Words) -> HTML {
        let parts = marked(words).split(separator: Self.mark, omittingEmptySubsequences: false)
        return HTMLBuilder.buildArray(
            parts.enumerated().map { place, part in place % 2 == 1 ? code { String(part) } : HTMLBuilder.buildExpression(String(part)) })
    }

    /// Stands before and after what the file has. No file has this character.
    private static let mark: Character = "\u{1}"

    fileprivate static func quoted(_ text: String) -> String { "\(mark)\(text.filter { $0 != mark })\(mark)" }

    private func marked(_ words: Words) -> String {
        let quoted = Self.quoted
        switch self {
        case .added(let section, let name, let value):
            let what = words.noun(section) + " " + quoted(name), value = value.map { ": " + quoted($0) } ?? ""
            return words.translate("\(what) is added\(value)")
        case .removed(let section, let name):
            let what = words.noun(section) + " " + quoted(name)
            return words.translate("\(what) is removed")
        case .shows(let placement, let audience, let before, let after):
            return shows(words.placement + " " + quoted(placement), words.asked(audience), before, after, words)
        case .order(let section, let name, let before, let after):
            let what = words.noun(section) + " " + quoted(name)
            let old = quoted(before.joined(separator: ", ")), new = quoted(after.joined(separator: ", "))
            return section == "experiments"
                ? words.translate("\(what): the variations are now in the order \(new); it was \(old)")
                : words.translate("\(what): audiences are now asked in the order \(new); it was \(old)")
        case .value(let section, let name, let path, let before, let after):
            let subject = words.noun(section) + (name.map { " " + quoted($0) } ?? "")
            let what = path.isEmpty ? subject : subject + ": " + quoted(path)
            switch (before.map(quoted), after.map(quoted)) {
            case (nil, let after?): return words.translate("\(what) is added: \(after)")
            case (let before?, nil): return words.translate("\(what) is removed; it was \(before)")
            case (let before, let after): return words.translate("\(what) changes from \(before ?? "–") to \(after ?? "–")")
            }
        }
    }

    private func shows(
        _ placement: String, _ audience: String, _ before: Outcome?, _ after: Outcome?, _ words: Words
    ) -> String {
        let old = before.map { words.outcome($0) } ?? "–", new = after.map { words.outcome($0) } ?? "–"
        if before == nil { return words.translate("\(placement): \(audience) now sees \(new)") }
        if after == nil {
            return words.translate("\(placement): \(audience) is no longer asked; it saw \(old)")
        }
        return words.translate("\(placement): \(audience) now sees \(new) instead of \(old)")
    }
}

extension Words {
    fileprivate func asked(_ audience: String) -> String {
        audience == AudienceID.everyone.rawValue ? everyone : self.audience + " " + ChangeMeaning.quoted(audience) + " "
    }

    fileprivate func outcome(_ outcome: ChangeMeaning.Outcome) -> String {
        switch outcome {
        case .paywall(let name): paywall + " " + ChangeMeaning.quoted(name)
        case .experiment(let name): self.name(of: .experiment) + " " + ChangeMeaning.quoted(name)
        case .nothing: translate("nothing")
        case .other(let text): ChangeMeaning.quoted(text)
        }
    }

    /// An entry of a section; the section's own key where it has no word.
    fileprivate func noun(_ section: String) -> String {
        switch section {
        case "paywalls": paywall
        case "audiences": audience
        case "placements": placement
        case "experiments": name(of: .experiment)
        case "testDevices": name(of: .testDevice)
        case "segments": translate("Segment")
        case "links": translate("Link")
        case "attributes": translate("Attribute")
        case "keys": translate("Key")
        case "layers": translate("Layer")
        case "holdouts": translate("Holdout")
        case "events": translate("Event")
        case "metrics": translate("Metric")
        case "products": translate("Product")
        default: ChangeMeaning.quoted(section)
        }
    }
}
