// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
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

    @OptionGroup var place: FolderOption

    @OptionGroup var form: JSONOption

    func run() async throws {
        let folder = place.folder()
        let findings = await Examination(folder: folder, isWhole: store).findings()
        if form.json {
            try form.write(findings)
        } else {
            for finding in findings {
                Output.line("\(finding.ok ? "✔" : "✘") \(finding.check): \(finding.message)")
                if let fix = finding.fix { Output.line("    → \(fix)") }
            }
        }
        if findings.contains(where: { !$0.ok }) { throw ExitCode.failure }
    }
}
