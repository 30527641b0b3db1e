// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// `landfall link change`.
struct LinkChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Changes some fields of a link; the others stay.",
        discussion: """
            The address of a link stays. --tag, --ios, --android and --desktop replace all values of their field. A change that no new link \
            could have is refused, and so is one of a link that somebody else changes in this moment.
            """)

    @Argument(help: "The address of the link.")
    var link: LinkAddressArgument

    @Option(help: "Where it leads: https, or the app's own scheme.")
    var to: String?

    @OptionGroup var fields: LinkFieldOptions

    @Option(help: "A field that the link has no more, such as campaign, tags or expires; repeat the option for more fields.")
    var clear: [String] = []

    @OptionGroup var store: StoreOptions

    /// The fields that can be absent, and the names that this command has for them.
    private static let clearable: [String: String] = {
        let names = NewLink.fields.keys.filter { !["to", "domain", "suffix", "template"].contains($0) && !$0.hasSuffix("Milliseconds") }
        return Dictionary(names.map { ($0, $0) }) { first, _ in first }
            .merging(["ad-group": "adGroup", "tag": "tags", "starts": "startsAt", "expires": "expiresAt"]) { first, _ in first }
    }()

    private func changes() throws -> [String: JSONValue] {
        var wanted = NewLink(to: to ?? "")
        try fields.fill(&wanted)
        var changes = try WireCoding.decode([String: JSONValue].self, from: WireCoding.encode(wanted))
        if to == nil { changes["to"] = nil }
        for name in clear {
            guard let field = Self.clearable[name] else {
                throw ValidationError("--clear cannot be '\(name)'.\(Suggestion.sentence(for: name, among: Self.clearable.keys))")
            }
            guard changes[field] == nil, changes[field + "Milliseconds"] == nil else {
                throw ValidationError("--clear \(name) and a value for it contradict each other. Leave one of them out.")
            }
            changes[field] = .null
        }
        guard !changes.isEmpty else { throw ValidationError("Nothing would change. Name a field, such as --campaign summer or --clear expires.") }
        return changes
    }

    func run() async throws {
        let changes = try changes()
        let changed = try await store.withReach { reach in
            try await link.change(changes, of: try await link.read(reach).etag, reach)
        }
        if store.json { try store.printJSON(changed) } else { Output.line(changed.url) }
    }
}

/// `landfall link archive`.
struct LinkArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Ends links now: people who tap them see the page of expired links.",
        discussion: "A link that has expired already stays as it is. 'landfall link change LINK --clear expires' takes a link up again.")

    @Argument(help: "The addresses of the links.")
    var links: [LinkAddressArgument]

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
        let archived = try await store.withReach { reach in
            var archived: [LinkDocument] = []
            for link in links {
                let there = try await link.read(reach)
                let isOver = there.state == .expired
                archived.append(isOver ? there : try await link.change(["expiresAtMilliseconds": .integer(nowMs)], of: there.etag, reach))
                if !store.json { Output.line(link.url) }
            }
            return archived
        }
        if store.json { try store.printJSON(archived) }
    }
}

/// `landfall link remove`.
struct LinkRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes links: they lead nowhere, and their addresses are free.",
        discussion: "Clicks of the past stay in the reports. A link that is not there is no error.")

    @Argument(help: "The addresses of the links.")
    var links: [LinkAddressArgument]

    @OptionGroup var store: StoreOptions

    private struct Removal: Encodable {
        let url: String
        let removed: Bool
    }

    func run() async throws {
        let removals = try await store.withReach { reach in
            var removals: [Removal] = []
            for link in links {
                removals.append(Removal(url: link.url, removed: try await link.remove(reach)))
                if !store.json { Output.line(removals.last?.removed == true ? "\(link.url) removed" : "\(link.url) was not there") }
            }
            return removals
        }
        if store.json { try store.printJSON(removals) }
    }
}
