// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire

/// `landfall versions`.
struct VersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: "Lists the versions of the configuration, newest first, and what is scheduled.",
        discussion: "For a scheduled version that was not published, the list says why."
    )

    @Option(help: "Only versions before this one.")
    var before: Int64?

    @Option(help: "The most versions to list (100).")
    var limit: Int64?

    @Option(help: "Cancel the scheduled version with this id, and list nothing.")
    var cancel: String?

    @OptionGroup var store: StoreOptions

    private struct Cancelled: Decodable { let cancelled: Bool }

    func run() async throws {
        let calling = PublishingCall(store: store)
        if let cancel { return try await withdraw(cancel, calling) }
        let target = BackendCall.target("/v1/configuration/versions", [("before", before.map(String.init)), ("limit", limit.map(String.init))])
        let body = try await calling.body(BackendCall("GET", target))
        if store.json { return try calling.say(body) }
        for entry in try JSONDecoder().decode([VersionEntry].self, from: Data(body)) { Output.line(Self.line(entry)) }
    }

    private func withdraw(_ id: String, _ calling: PublishingCall) async throws {
        let id = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? ""
        let body = try await calling.body(BackendCall("DELETE", "/v1/configuration/scheduled/" + id))
        if store.json { return try calling.say(body) }
        let isCancelled = try JSONDecoder().decode(Cancelled.self, from: Data(body)).cancelled
        Output.line(isCancelled ? "The version is cancelled and will not be published." : "The version does not wait any more: nothing to cancel.")
    }

    static func line(_ entry: VersionEntry) -> String {
        func date(_ milliseconds: Int64?) -> String {
            milliseconds.map(Output.time) ?? "?"
        }
        let said = [entry.author, entry.message].filter { !$0.isEmpty }.joined(separator: ": ")
        let rest = said.isEmpty ? "" : "  " + said
        switch entry.status {
        case .published: return "\(entry.version.map(String.init) ?? "?")  \(date(entry.publishedAtMilliseconds))\(rest)"
        case .scheduled: return "to be published at \(date(entry.atMilliseconds))  \(entry.id ?? "")\(rest)"
        case .failed: return "not published at \(date(entry.atMilliseconds))\(rest). \(entry.reason ?? "")"
        case .cancelled: return "cancelled, was for \(date(entry.atMilliseconds))\(rest)"
        }
    }
}

/// `landfall rollback`.
struct RollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Publishes an older version again, as the next one.",
        discussion: "Nothing is deleted: the versions between stay in the list."
    )

    @Argument(help: "The version to go back to.")
    var version: Int64

    @Option(help: "The reason, for readers of the list of versions.")
    var message: String?

    @Option(help: "The version that is the newest now; the command is refused if a newer one was published (any).")
    var base: Int64?

    @OptionGroup var store: StoreOptions

    private struct Order: Encodable {
        let version: Int64
        let message: String?
    }

    func run() async throws {
        var call = try BackendCall("POST", "/v1/configuration/rollback", json: Order(version: version, message: message))
        call.fields = PublishingCall.fields(message: nil, base: base)
        call.fields["Content-Type"] = nil
        try await PublishingCall(store: store).answer(call)
    }
}

/// `landfall export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the file of a version to standard output, byte for byte as it was published.",
        discussion: "A live experiment that leaves its epoch to the server has the counted epoch written in."
    )

    @Argument(help: "The version (the newest).")
    var version: Int64?

    @OptionGroup var store: StoreOptions

    private struct Exported: Encodable {
        let version: Int64
        let yaml: String
    }

    func run() async throws {
        let calling = PublishingCall(store: store)
        guard store.json else {
            let body = try await calling.body(BackendCall("GET", Self.target(version)))
            return Output.write(String(decoding: body, as: UTF8.self), to: .standardOutput)
        }
        var number = version
        if number == nil {
            let list = try await calling.body(BackendCall("GET", "/v1/configuration/versions?limit=1"))
            number = try JSONDecoder().decode([VersionEntry].self, from: Data(list)).lazy.compactMap(\.version).first
        }
        let body = try await calling.body(BackendCall("GET", Self.target(number)))
        try store.printJSON(Exported(version: number ?? 0, yaml: String(decoding: body, as: UTF8.self)))
    }

    private static func target(_ version: Int64?) -> String {
        version.map { "/v1/configuration/versions/\($0)" } ?? "/v1/configuration"
    }
}
