// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The order of a placement's entries, what one shows, an entry less, an entry more, an experiment in the place of a paywall. Everyone stays
/// the last one. Each of them takes along what the form chooses for the entries.
extension ConfigurationFormChange {
    func changedPlacement() throws -> String {
        let entries = node.items
        let order = field("change")
        if order == "delete" { return try deleted(document.uses(ofPlacement: name)) }
        if order == "add" { return try addedEntry(entries) }
        if order == "yaml" { return try written() }
        // The page of the draft says what a test device would see.
        if order == "device" { return document.text }
        if order == "try" { return try tried(entries) }
        let parts = order.split(separator: "."), numbers = parts.dropFirst().map { Int($0) ?? -1 }
        guard let first = parts.first, let index = numbers.first, entries.indices.contains(index) else {
            throw ConfigurationFormRefusal("", words.noSuchEntry)
        }
        switch (first, numbers.count) {
        case ("show", 1): return try shown(index, entries)
        case ("remove", 1):
            guard !isEveryone(entries[index]) else { throw ConfigurationFormRefusal("", words.everyoneStays) }
            return try applied([.remove(path([.index(index)]))], to: shown(nil, entries))
        case ("up", 1): return try moved(index, to: index - 1, entries)
        case ("down", 1): return try moved(index, to: index + 1, entries)
        case ("move", 2): return try moved(index, to: numbers[1], entries)
        default: throw ConfigurationFormRefusal("", words.noSuchEntry)
        }
    }

    private func isEveryone(_ entry: ConfigurationNode) -> Bool { entry.text("audience") == PlacementEntry.everyone }

    private func moved(_ index: Int, to place: Int, _ entries: [ConfigurationNode]) throws -> String {
        guard entries.indices.contains(place), place != index else { throw ConfigurationFormRefusal("", words.noSuchEntry) }
        guard !entries[min(index, place)...max(index, place)].contains(where: isEveryone) else {
            throw ConfigurationFormRefusal("", words.everyoneStays)
        }
        return try ConfigurationMove(list: path(), from: index, to: place).applied(to: shown(nil, entries))
    }

    /// What the field chooses: `paywall:NAME` or `experiment:NAME`.
    func showing(_ field: String) throws -> ConfigurationValue.Member {
        let parts = self.field(field).split(separator: ":", maxSplits: 1).map { String($0) }
        guard parts.count == 2, ["paywall", "experiment"].contains(parts[0]), document.entry(parts[0] + "s", parts[1]) != nil else {
            throw ConfigurationFormRefusal(field, words.chooseShowing)
        }
        return .init(name: parts[0], value: .text(parts[1]))
    }

    /// The entries with what the form chooses for them: also those whose own button was not pressed.
    /// - Parameter pressed: the one that must have a choice.
    private func shown(_ pressed: Int?, _ entries: [ConfigurationNode]) throws -> String {
        let chosen = entries.indices.filter { $0 == pressed || !field("shows.\($0)").isEmpty }
        return try applied(chosen.flatMap { try shown($0, by: entries[$0]) })
    }

    /// What gives the entry another paywall or experiment; its audience and its comments stay.
    private func shown(_ index: Int, by entry: ConfigurationNode) throws -> [ConfigurationEdit] {
        let showing = try showing("shows.\(index)"), other = showing.name == "paywall" ? "experiment" : "paywall"
        guard entry.text(showing.name).map({ ConfigurationValue.text($0) }) != showing.value else { return [] }
        let setting = ConfigurationEdit.set(try path([.index(index), .key(showing.name)]), to: showing.value)
        return try entry.has(other) ? [setting, .remove(path([.index(index), .key(other)]))] : [setting]
    }

    /// A new experiment between the paywall that an entry shows and another one. It is a draft, which shows the first variation to everybody.
    private func tried(_ entries: [ConfigurationNode]) throws -> String {
        guard let index = Int(field("tried")), entries.indices.contains(index), let control = entries[index].text("paywall") else {
            throw ConfigurationFormRefusal("tried", words.choosePaywallShown)
        }
        let other = field("against"), name = field("experiment")
        guard document.entry("paywalls", other) != nil, !other.hasSameBytes(as: control) else {
            throw ConfigurationFormRefusal("against", words.chooseOtherPaywall)
        }
        guard !name.isEmpty, let experiment = ConfigurationEditPath([.key("experiments"), .key(name)]) else {
            throw ConfigurationFormRefusal("experiment", words.needsName)
        }
        guard document.entry("experiments", name) == nil else { throw ConfigurationFormRefusal("experiment", words.nameTaken(name)) }
        let variations = [("A", control), ("B", other)].map { letter, paywall in
            let value = ConfigurationValue.mapping([.init(name: "weight", value: .integer(50)), .init(name: "paywall", value: .text(paywall))])
            return ConfigurationValue.Member(name: letter, value: value)
        }
        let others = try entries.indices.filter { $0 != index && !field("shows.\($0)").isEmpty }.flatMap { try shown($0, by: entries[$0]) }
        let draft = ConfigurationValue.mapping([.init(name: "state", value: .text("draft")), .init(name: "variations", value: .mapping(variations))])
        let edits: [ConfigurationEdit] = try [
            .set(experiment, to: draft), .set(path([.index(index), .key("experiment")]), to: .text(name)),
            .remove(path([.index(index), .key("paywall")])),
        ]
        return try applied(others + edits)
    }

    /// The field of the form that a problem of the file is about.
    func placementField(of problem: ConfigurationProblem) -> String? {
        let start = ConfigurationPath(["experiments", field("experiment")]).description
        return field("change") == "try" && (problem.path == start || problem.path.hasPrefix(start + ".")) ? "experiment" : nil
    }

    private func addedEntry(_ entries: [ConfigurationNode]) throws -> String {
        let audience = field("audience")
        guard document.entry("audiences", audience) != nil, !entries.contains(where: { $0.text("audience") == audience }) else {
            throw ConfigurationFormRefusal("audience", words.chooseAudience)
        }
        let entry = ConfigurationValue.mapping([.init(name: "audience", value: .text(audience)), try showing("shows")])
        let added = try applied([.set(path([.index(entries.count)]), to: entry)], to: shown(nil, entries))
        guard entries.last.map(isEveryone) == true else { return added }
        return try ConfigurationMove(list: path(), from: entries.count, to: entries.count - 1).applied(to: added)
    }
}
