// SPDX-License-Identifier: Apache-2.0
import LandfallPages
import LandfallWire

/// The order of a placement's entries, an entry less, an entry more. Everyone stays the last one.
extension ConfigurationChanging {
    func changedPlacement() throws -> String {
        let entries = node.items
        let order = field("change")
        if order == "delete" { return try deleted(document.uses(ofPlacement: name)) }
        if order == "add" { return try addedEntry(entries) }
        let parts = order.split(separator: ".")
        guard parts.count == 2, let index = Int(parts[1]), entries.indices.contains(index) else {
            throw ConfigurationFormRefusal("", words.noSuchEntry)
        }
        func isEveryone(_ index: Int) -> Bool { entries[index].text("audience") == PlacementEntry.everyone }
        switch parts[0] {
        case "remove":
            guard !isEveryone(index) else { throw ConfigurationFormRefusal("", words.everyoneStays) }
            return try applied([.remove(path([.index(index)]))])
        case "up", "down":
            let upper = parts[0] == "up" ? index - 1 : index
            guard upper >= 0, upper + 1 < entries.count else { throw ConfigurationFormRefusal("", words.noSuchEntry) }
            guard !isEveryone(upper), !isEveryone(upper + 1) else { throw ConfigurationFormRefusal("", words.everyoneStays) }
            return try ConfigurationMove(list: path(), index: upper).applied(to: document.text)
        default: throw ConfigurationFormRefusal("", words.noSuchEntry)
        }
    }

    private func addedEntry(_ entries: [ConfigurationNode]) throws -> String {
        let audience = field("audience"), shows = field("shows").split(separator: ":", maxSplits: 1).map { String($0) }
        guard document.entry("audiences", audience) != nil, !entries.contains(where: { $0.text("audience") == audience }) else {
            throw ConfigurationFormRefusal("audience", words.chooseAudience)
        }
        guard shows.count == 2, ["paywall", "experiment"].contains(shows[0]), document.entry(shows[0] + "s", shows[1]) != nil else {
            throw ConfigurationFormRefusal("shows", words.chooseShowing)
        }
        let entry = ConfigurationValue.mapping([
            .init(name: "audience", value: .text(audience)), .init(name: shows[0], value: .text(shows[1])),
        ])
        let added = try applied([.set(path([.index(entries.count)]), to: entry)])
        guard entries.last?.text("audience") == PlacementEntry.everyone else { return added }
        return try ConfigurationMove(list: path(), index: entries.count - 1).applied(to: added)
    }
}
