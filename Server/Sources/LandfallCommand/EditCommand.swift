// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules

/// `landfall edit`.
struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes single entries of a landfall.yaml; every other byte stays.",
        discussion: """
            Comments, blank lines, quotes and the order of keys stay as they are. A file that could not be served afterwards is not \
            written. Publish it with 'landfall apply'. Paths have dots between keys and [0] for an element of a list; an entry that is \
            not there yet is added.

              landfall edit --set 'paywalls.default.remoteConfig.en.title=Half price'
              landfall edit --set 'testDevices.mayas-phone={ install: 0190a5c0-7e1b-7c3a-9f00-000000000001, paywalls: { home: spring } }'
              landfall edit --remove testDevices.mayas-phone
            """
    )

    @Argument(help: "The configuration (LANDFALL_CONFIG; landfall.yaml).")
    var file: String?

    @Option(help: "PATH=VALUE, the value as the file would have it; several by repeating.")
    var set: [String] = []

    @Option(help: "The path of an entry that goes; several by repeating, after what is set.")
    var remove: [String] = []

    @Flag(help: "Say what would change, and write nothing.")
    var dryRun = false

    @OptionGroup var form: JSONOption

    func validate() throws {
        guard !set.isEmpty || !remove.isEmpty else {
            throw ValidationError("Name at least one change: --set PATH=VALUE or --remove PATH.")
        }
    }

    func run() async throws {
        let file = file ?? FlagEnvironment().text("config") ?? "landfall.yaml"
        let bytes = try PublishingCall.contents(of: file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ValidationError("The configuration '\(file)' is not UTF-8. Save it as UTF-8.")
        }
        let edited = try EditedConfiguration(text, file: file, try ConfigurationEditOrder(set: set, remove: remove))
        let isWritten = !dryRun && !edited.text.utf8.elementsEqual(text.utf8)
        if isWritten { try Self.write(edited.text, to: file) }
        if form.json {
            return try form.write(
                Document(file: file, written: isWritten, changes: edited.changes, warnings: edited.warnings))
        }
        for warning in edited.warnings { Output.remark("warning: \(file):\(warning.line):\(warning.column): \(warning.message)") }
        for change in edited.changes { Output.line(change.sentence) }
        if edited.changes.isEmpty { Output.line("Nothing changes.") }
    }

    private struct Document: Encodable {
        let file: String
        let written: Bool
        let changes: [ConfigurationChange]
        let warnings: [ConfigurationRemark]
    }

    /// Replaces the file as a whole or not at all. A symbolic link stays a link; owner, group and permissions stay the same.
    private static func write(_ text: String, to file: String) throws {
        let place = URL(filePath: file).resolvingSymlinksInPath()
        let fresh = place.deletingLastPathComponent().appending(path: ".\(place.lastPathComponent).\(UUID().uuidString)")
        let files = FileManager.default, found = try files.attributesOfItem(atPath: place.path)
        let kept = found.filter { [.posixPermissions, .ownerAccountID, .groupOwnerAccountID].contains($0.key) }
        defer { try? files.removeItem(at: fresh) }
        try Data(text.utf8).write(to: fresh, options: .withoutOverwriting)
        do { try files.setAttributes(kept, ofItemAtPath: fresh.path) } catch {
            throw NotReplaced(file: file)
        }
        guard rename(fresh.path, place.path) == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place.path]) }
    }

    private struct NotReplaced: Error, CustomStringConvertible {
        let file: String
        var description: String { "'\(file)' cannot be replaced by a file of the same owner and group. Run the command as its owner." }
    }
}
