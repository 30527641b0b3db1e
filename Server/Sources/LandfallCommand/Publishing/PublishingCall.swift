// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// A call about versions of the configuration, and how its answer is printed.
struct PublishingCall {
    let store: StoreOptions
    /// True for a call that publishes: the first version creates the store.
    var makesStore = false

    /// - Parameter file: the configuration of an empty store until it has a version.
    /// - Throws: ``ExitCode`` after a refusal was printed as a document.
    func body(_ call: BackendCall, file: String? = nil) async throws -> [UInt8] {
        do {
            return try await store.withReach(ofEmptyStore: file, makesStore: makesStore) { try await $0.call(call) }
        } catch let refusal as BackendRefusal where store.json && !refusal.document.isEmpty {
            try say(refusal.document)
            throw ExitCode.failure
        } catch let refusal as BackendRefusal {
            throw SaidRefusal(refusal)
        }
    }

    func answer(_ call: BackendCall, file: String? = nil) async throws {
        let body = try await body(call, file: file)
        if store.json { return try say(body) }
        try tell(try JSONDecoder().decode(PublishingAnswer.self, from: Data(body)))
    }

    /// As the server wrote it, in the form that every command has.
    func say(_ body: [UInt8]) throws {
        try store.printJSON(try JSONDecoder().decode(JSONValue.self, from: Data(body)))
    }

    private func tell(_ answer: PublishingAnswer) throws {
        Self.say(answer.warnings)
        for line in Self.lines(answer) { Output.line(line) }
    }

    /// What an answer says, without its warnings.
    static func lines(_ answer: PublishingAnswer) -> [String] {
        var lines = answer.changes.map(\.sentence)
        if let more = answer.changesLeftOut { lines.append("… and \(more) more changes.") }
        if let scheduled = answer.scheduled {
            lines.append("It is to be published at \(Output.time(scheduled.atMilliseconds)). To cancel: landfall versions --cancel \(scheduled.id)")
        } else if let version = answer.version {
            lines.append(version == answer.base ? "Version \(version) is the same file: nothing to publish." : "Version \(version) is published.")
        } else if answer.changes.isEmpty {
            lines.append("Nothing changes.")
        }
        return lines
    }

    static func lines(_ warnings: [ConfigurationRemark]) -> [String] {
        warnings.map { "warning: \($0.line):\($0.column): \($0.message)" }
    }

    static func say(_ warnings: [ConfigurationRemark]) {
        for line in lines(warnings) { Output.remark(line) }
    }

    /// A file for a call, as bytes.
    static func contents(of file: String) throws -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw UnreadableFile(description: "The configuration '\(file)' cannot be read. Check the path and who may read it.")
        }
        return [UInt8](bytes)
    }

    /// The header fields of every publishing call.
    static func fields(message: String?, base: Int64?) -> [String: String] {
        var fields = ["Content-Type": "application/yaml", "Landfall-Author": NSUserName()]
        // A header field is one line.
        fields["Landfall-Message"] = message.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        fields["If-Match"] = base.map { "\"\($0)\"" }
        return fields
    }

    private struct UnreadableFile: Error, CustomStringConvertible { let description: String }
}

/// A refusal with what the server lists about it.
struct SaidRefusal: Error, CustomStringConvertible {
    private struct Details: Decodable {
        let problems: [ConfigurationRemark]?
        let changes: [ConfigurationChange]?
        let proposed: [ConfigurationChange]?
    }

    let description: String

    init(_ refusal: BackendRefusal) {
        let details = try? JSONDecoder().decode(Details.self, from: Data(refusal.document))
        var lines = [refusal.message]
        if let problems = details?.problems, problems.count > 1 {
            lines = ["The configuration has \(problems.count) problems:"] + problems.map { "  \($0.line):\($0.column): \($0.message)" }
        }
        for (title, changes) in [("Published since:", details?.changes), ("In your file:", details?.proposed)] {
            if let changes, !changes.isEmpty { lines += [title] + changes.map { "  " + $0.sentence } }
        }
        description = lines.joined(separator: "\n")
    }
}
