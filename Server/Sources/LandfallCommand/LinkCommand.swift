// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallSQLite

/// `landfall link`.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes links, and takes over those of other systems.",
        discussion: "Works on the store itself; a server may be running on it, and serves what is new at once.",
        subcommands: [LinkCreateCommand.self, LinkImportCommand.self]
    )
}

/// Which store, and which configuration.
struct LinkStoreOptions: ParsableArguments {
    @Option(help: "The folder of the store (LANDFALL_DATA; landfall-data).")
    var data: String?

    @Option(help: "The configuration, landfall.yaml (LANDFALL_CONFIG; what the store serves).")
    var config: String?

    @Flag(help: "One JSON document on standard output, and nothing else.")
    var json = false

    /// Opens the catalogue, and closes the store afterwards.
    func withCatalog<Value>(_ body: (LinkCatalog) async throws -> Value) async throws -> Value {
        let environment = FlagEnvironment()
        let folder = URL(filePath: data ?? environment.text("data") ?? "landfall-data")
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
        do {
            let value = try await body(LinkCatalog(database: database, configurationFile: config ?? environment.text("config")))
            try await database.close()
            return value
        } catch {
            try? await database.close()
            throw error
        }
    }

    func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Output.line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// `landfall link create`.
struct LinkCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes a short link and prints it.",
        discussion: "Without --suffix its code is random. The same link a second time is no error; a suffix of another link is."
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

    @Flag(help: "Its page hands the link over to a fresh install by the pasteboard, if the person taps there.")
    var pasteboard = false

    @OptionGroup var store: LinkStoreOptions

    func run() async throws {
        var order = LinkCatalog.Order(to: destination)
        (order.domain, order.suffix, order.campaign, order.adGroup) = (domain, suffix, campaign, adGroup)
        (order.creative, order.label, order.channel, order.pasteboard) = (creative, label, channel, pasteboard)
        let outcome = try await store.withCatalog { [order] in try await $0.make(order) }
        if store.json { try store.printJSON(outcome) }
        guard let url = outcome.url else { throw LinkRefused(description: outcome.problem ?? "The link was refused.") }
        if !store.json { Output.line(url) }
    }
}

/// `landfall link import`.
struct LinkImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Takes over links of another system from CSV; they keep their addresses.",
        discussion: """
            'firebase' reads the export of Firebase Dynamic Links, one file a domain. 'csv' reads columns by name: to, url, \
            campaign, adGroup, creative, label, channel, expiresAtMilliseconds, ios, android, desktop, title, description, image, \
            pasteboard. A row that cannot be taken over is named with the reason and harms no other; then the exit status is 1.
            """
    )

    @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
    var file: String

    @Option(help: "firebase or csv (csv).")
    var format: String?

    @Option(help: "The brand domain on which the links live from now on (the host of each link).")
    var domain: String?

    @OptionGroup var store: LinkStoreOptions

    func run() async throws {
        guard let format = LinkCatalog.Format(rawValue: format ?? "csv") else {
            throw ValidationError("--format is '\(format ?? "")'; use firebase or csv.")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw ValidationError("The file '\(file)' cannot be read. Check the path and who may read it.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let outcomes = try await store.withCatalog { catalog in
            try await catalog.take(over: text, format: format, domain: domain) { done, all in
                Output.remark("\(done) of \(all) rows")
            }
        }
        let refused = outcomes.filter { $0.url == nil }
        if store.json {
            try store.printJSON(outcomes)
        } else {
            for outcome in refused { Output.line("row \(outcome.row ?? 0): \(outcome.problem ?? "refused")") }
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
