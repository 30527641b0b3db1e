// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// An entry that the file does not have yet, as a form asks for it.
struct NewEntry {
    let kind: NewEntryPage.Kind
    let changing: ConfigurationFormChange

    init(_ kind: NewEntryPage.Kind, words: Words, form: [String: String], document: ConfigurationDocument) {
        self.kind = kind
        var named = ConfigurationFormChange(
            words: words, form: form, document: document, section: kind.section, name: "",
            node: ConfigurationNode(place: .start, content: .mapping([])))
        named.name = named.field("name")
        changing = named
    }

    private var words: Words { changing.words }
    private var document: ConfigurationDocument { changing.document }

    private func field(_ name: String) -> String { changing.field(name) }

    /// The file with the new entry behind the others of its section.
    func text() throws -> String {
        guard !changing.name.isEmpty else { throw ConfigurationFormRefusal("name", words.needsName) }
        guard document.entry(kind.section, changing.name) == nil else {
            throw ConfigurationFormRefusal("name", words.nameTaken(changing.name))
        }
        switch kind {
        case .paywall: return try added(paywall())
        case .audience: return try changing.changedRule()
        case .placement: return try added(placement())
        // It has a form of its own: ``NewExperiment``.
        case .experiment: throw RequestError.notFound
        }
    }

    private func added(_ value: ConfigurationValue) throws -> String { try changing.applied([.set(changing.path(), to: value)]) }

    private func paywall() throws -> ConfigurationValue {
        var members: [ConfigurationValue.Member] = []
        let products = changing.lines("products"), locale = field("locale"), config = field("config")
        if !products.isEmpty { members.append(.init(name: "products", value: .list(products.map { .text($0) }))) }
        guard !locale.isEmpty || config.isEmpty else { throw ConfigurationFormRefusal("locale", words.needsLocale) }
        if !locale.isEmpty {
            members.append(.init(name: "defaultLocale", value: .text(locale)))
            members.append(.init(name: "remoteConfig", value: .mapping([.init(name: locale, value: try values(config))])))
        }
        return .mapping(members)
    }

    /// The remote config of one locale, as it was typed.
    private func values(_ text: String) throws -> ConfigurationValue {
        guard !text.isEmpty else { return .mapping([]) }
        var source = ConfigurationText()
        let node = source.parse(text)
        guard let node, source.problems.isEmpty else {
            let problems = source.problems.prefix(5).map { FieldProblem("config", $0.description, isEnglish: true) }
            throw problems.isEmpty ? ConfigurationFormRefusal("config", words.needsMapping) : ConfigurationFormRefusal(problems)
        }
        guard case .mapping(let members)? = ConfigurationValue(node) else { throw ConfigurationFormRefusal("config", words.needsMapping) }
        return .mapping(members)
    }

    private func placement() throws -> ConfigurationValue {
        let audience = ConfigurationValue.Member(name: "audience", value: .text(PlacementEntry.everyone))
        return .list([.mapping([audience, try changing.showing("shows")])])
    }

    /// The field of the form that a problem of the file is about: the name, where nothing nearer is known.
    func field(of problem: ConfigurationProblem) -> String {
        func isIn(_ steps: [String]) -> Bool {
            let start = ConfigurationPath([kind.section, changing.name] + steps).description
            return problem.path == start || problem.path.hasPrefix(start + ".") || problem.path.hasPrefix(start + "[")
        }
        switch kind {
        case .paywall: return isIn(["products"]) ? "products" : isIn(["defaultLocale"]) ? "locale" : isIn(["remoteConfig"]) ? "config" : "name"
        case .audience: return changing.field(of: problem) ?? "name"
        case .placement, .experiment: return "name"
        }
    }
}
