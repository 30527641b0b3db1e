// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallRules
import LandfallServer

/// `landfall link`.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes, lists and changes links, and imports those of other systems.",
        discussion: """
            Works at --server with a key, else in the folder of the store. A server that runs on the folder makes the links, and serves \
            new links at once; without a server the command makes them itself.
            """,
        subcommands: [
            LinkListCommand.self, LinkShowCommand.self, LinkCreateCommand.self, LinkChangeCommand.self, LinkArchiveCommand.self,
            LinkRemoveCommand.self, LinkImportCommand.self, LinkExportCommand.self,
        ]
    )
}

/// `landfall link create`.
struct LinkCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a short link and prints it.",
        discussion: "Without --suffix its code is random. Repeating the command is not an error; a suffix that another link has is one."
    )

    @Argument(help: "Where it leads: https, or the app's own scheme.")
    var destination: String

    @Option(help: "One of the brand domains (the first one).")
    var domain: String?

    @Option(help: "The path, of one or several segments, such as summer or shop/shoes (a random code).")
    var suffix: String?

    @Option(help: "A name below 'linkTemplates' of the configuration; it gives what the other options leave open.")
    var template: String?

    @OptionGroup var fields: LinkFieldOptions

    @OptionGroup var store: StoreOptions

    func run() async throws {
        var newLink = NewLink(to: destination)
        (newLink.domain, newLink.suffix, newLink.template) = (domain, suffix, template)
        try fields.fill(&newLink)
        let outcome = try await store.withReach(makesStore: true) { [newLink] reach in
            try await LinkCatalog { try await reach.call($0) }.make(newLink)
        }
        if store.json { try store.printJSON(outcome) }
        guard let url = outcome.url else { throw LinkRefused(description: outcome.problem ?? "The link was refused.") }
        if !store.json { Output.line(url) }
    }
}

struct LinkRefused: Error, CustomStringConvertible {
    let description: String
}
