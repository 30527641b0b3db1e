// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallRules

/// The words at the beginning of a command line that name a command, such as `report links`.
enum CommandWords {
    /// Without this check the parser calls a wrong word unexpected, and answers `help WORD` for a wrong word with the whole help.
    /// - Throws: if a command is required and the word is not one.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws(ValidationError) {
        var command = root, path = root._commandName
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-") else { return }
            path += " \(word)"
            guard let named = known.first(where: { $0._commandName == word }) else {
                let advice = Suggestion.sentence(for: word, among: known.map { $0._commandName })
                throw ValidationError("'\(path.withoutControl)' is not a command.\(advice)")
            }
            command = named
        }
    }
}
