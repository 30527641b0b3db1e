// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallSQLite

/// `landfall doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says whether a store and its machine are in order, and what to do where they are not.",
        discussion: """
            Looks at the folder, the server that runs on it, disk, limits, schema and configuration. Changes nothing in the store. \
            While a server runs on the folder, it is asked. The exit status is 1 where something is not in order.
            """
    )

    @Flag(help: "Read the whole store for damage, which takes as long as it is large.")
    var store = false

    @Option(help: "The folder of the store (LANDFALL_DATA; landfall-data).")
    var data: String?

    @Flag(help: "One JSON document on standard output, and nothing else.")
    var json = false

    func run() async throws {
        let folder = StoreFolder(data ?? FlagEnvironment().text("data") ?? StoreFolder.usual)
        let findings = await Examination(folder: folder, isWhole: store).findings()
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            Output.line(String(decoding: try encoder.encode(findings), as: UTF8.self))
        } else {
            for finding in findings {
                Output.line("\(finding.ok ? "✔" : "✘") \(finding.check): \(finding.message)")
                if let fix = finding.fix { Output.line("    → \(fix)") }
            }
        }
        if findings.contains(where: { !$0.ok }) { throw ExitCode.failure }
    }
}
