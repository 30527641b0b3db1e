// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall link`.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes links, and imports those of other systems.",
        discussion: """
            Works at --server with a key, else in the folder of the store. A server that runs on the folder makes the links, and serves \
            new links at once; without a server the command makes them itself.
            """,
        subcommands: [LinkCreateCommand.self, LinkImportCommand.self]
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

    @Option var campaign: String?
    @Option var adGroup: String?
    @Option var creative: String?
    @Option var label: String?
    @Option var channel: String?

    @Flag(help: "Its page copies the link to the pasteboard for a fresh install, if the person taps there.")
    var pasteboard = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        var newLink = NewLink(to: destination)
        (newLink.domain, newLink.suffix, newLink.campaign, newLink.adGroup) = (domain, suffix, campaign, adGroup)
        (newLink.creative, newLink.label, newLink.channel, newLink.pasteboard) = (creative, label, channel, pasteboard)
        let outcome = try await store.withReach(makesStore: true) { [newLink] reach in
            try await LinkCatalog { try await reach.call($0) }.make(newLink)
        }
        if store.json { try store.printJSON(outcome) }
        guard let url = outcome.url else { throw LinkRefused(description: outcome.problem ?? "The link was refused.") }
        if !store.json { Output.line(url) }
    }
}

/// `landfall link import`.
struct LinkImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports links of another system from CSV; they keep their addresses.",
        discussion: """
            'firebase' reads the export of Firebase Dynamic Links, one file a domain. 'csv' reads columns by name: to, url, \
            campaign, adGroup, creative, label, channel, expiresAtMilliseconds, ios, android, desktop, title, description, image, \
            pasteboard, code, as /console/links.csv has them. A url on one of 'domains.old' keeps that address for the app, and \
            leads to a new link. A row that cannot be imported is reported with line, column and reason; the other rows are imported, \
            and the exit status is 1.
            """
    )

    @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
    var file: String

    @Option(help: "firebase or csv (csv).")
    var format: String?

    @Option(help: "The new brand domain of the links (the host of each link).")
    var domain: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        guard let format = LinkCatalog.Format(rawValue: format ?? "csv") else {
            throw ValidationError("--format is '\(format ?? "")'; use firebase or csv.")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw ValidationError("The file '\(file)' cannot be read. Check the path and its permissions.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let outcomes = try await store.withReach(makesStore: true) { reach in
            try await LinkCatalog { try await reach.call($0) }.take(over: text, format: format, domain: domain) { done, all in
                Output.remark("\(done) of \(all) rows")
            }
        }
        let refused = outcomes.filter { $0.url == nil }
        if store.json {
            try store.printJSON(outcomes)
        } else {
            for outcome in refused {
                Output.line("\(file):\(outcome.line ?? 0):\(outcome.column ?? 0): \(outcome.problem ?? "refused")")
            }
            let made = outcomes.count { $0.status == "made" }
            Output.line(
                "\(made) link(s) made, \(outcomes.count - made - refused.count) there already, \(refused.count) refused.")
        }
        if !refused.isEmpty { throw ExitCode.failure }
    }
}

private struct LinkRefused: Error, CustomStringConvertible {
    let description: String
}
