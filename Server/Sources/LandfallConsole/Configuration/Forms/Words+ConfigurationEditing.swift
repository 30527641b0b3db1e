// SPDX-License-Identifier: Apache-2.0

/// The forms of placements, audiences and paywalls.
extension Words {
    var draftNote: String { translate("Not published yet. Only these lines of the file would change.") }
    var draftLines: String { translate("Changed lines") }
    var draftMessage: String { translate("Why", context: "reason of a change") }
    var draftMessageHint: String { translate("The version keeps it, for the team.") }
    var review: String { translate("Review") }
    var ownedByFile: String {
        translate("This server takes its configuration from a file only (--config-owner file). Copy this into the file:")
    }
    var tooLargeToCarry: String {
        translate("The file is too large for a form of the console. Copy this into it, then run: landfall apply")
    }
    var removeFromFile: String { translate("Remove these lines from the file.") }
    var edit: String { translate("Change") }
    var take: String { translate("Take the changes over") }
    var takeAndOpen: String { translate("Take them over and go on in:") }
    var asYAML: String { translate("As YAML") }
    var yamlOf: String { translate("The entry as the file has it") }
    var takeYAML: String { translate("Take this text over") }
    func delete(_ name: String) -> String { translate("Delete \(name)") }
    func moveUp(_ name: String) -> String { translate("Move \(name) up") }
    func moveDown(_ name: String) -> String { translate("Move \(name) down") }
    func shown(to name: String) -> String { translate("What \(name) sees") }
    func changeShowing(_ name: String) -> String { translate("Change what \(name) sees") }
    var showingAsYAML: String {
        translate("This placement is too long for a choice in each line. Change what an audience sees as YAML.")
    }
    var addEntry: String { translate("Add an audience") }
    var add: String { translate("Add") }
    var productsNote: String { translate("One product id in each line, in the order in which they are shown.") }
}

/// What can be wrong in them.
extension Words {
    var everyoneStays: String { translate("Everyone stays the last entry.") }
    var noSuchEntry: String { translate("This entry is not there any more. Reload the page.") }
    var chooseAudience: String { translate("Choose an audience.") }
    var chooseShowing: String { translate("Choose what they see.") }
    func twice(_ test: String) -> String { translate("'\(test)' is here twice. Keep one of them.") }
    func needsKind(_ kind: String) -> String { translate("The value was a \(kind). Write one, or change its kind as YAML.") }
    func isUsed(_ name: String, by users: [ConfigurationUse]) -> String {
        let names = users.prefix(20).map { self.name(of: $0.kind) + " " + $0.name } + (users.count > 20 ? [andMore(users.count - 20)] : [])
        let list = language.list(names)
        return translate("\(name) is used by: \(list). Change these first.")
    }
    func line(_ number: Int) -> String { translate("Line \(number)") }
    func longEntry(_ kibibytes: Int) -> String { translate("The entry may have \(kibibytes) KiB.") }
    var notOneEntry: String { translate("Write this entry only, with its own name.") }
}
