// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallResults
import LandfallServer

/// `landfall results`.
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Shows the results of an experiment; they are valid at any look.",
        discussion: """
            Counts the experiment from the server's own store; without its name, lists all experiments. With --input it reads the numbers \
            from a JSON file and needs no server. The order of the page is the order in which to read it: health, verdict, \
            primary metric, guardrails, the rest. The words are higher, lower, not decided, safe and harmed; if the sample ratio \
            failed, every verdict is suppressed. All intervals are valid however often you look. The form of the file: \
            docs/features/experiments.md.
            """
    )

    @Argument(help: "The experiment (all of them, as a list).")
    var experiment: String?

    @Option(help: "A JSON file with the numbers; - is standard input.", completion: .file(extensions: ["json"]))
    var input: String?

    @Option(help: "Also writes a picture to this file, as SVG.", completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(
        help: "Writes units, epochs and salts to this file, for others to compute again: .csv, else JSON lines; - is standard output.",
        completion: .file())
    var export: String?

    @Flag(help: "Comma-separated values for --export -.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if input != nil, experiment != nil { throw ValidationError("--input has the numbers already. Leave out the experiment's name.") }
        if svg != nil, input == nil, experiment == nil { throw ValidationError("--svg is for one experiment: name it.") }
        if export != nil, experiment == nil { throw ValidationError("--export is for one experiment: name it.") }
        if export != nil, store.json || svg != nil { throw ValidationError("--export writes units alone. Leave out --json and --svg.") }
        if csv, export == nil { throw ValidationError("--csv is a form of --export FILE.") }
    }

    func run() async throws {
        if let input { return try judge(try bytes(input), showsRemarks: true) }
        guard let experiment else { return try await list() }
        if let export {
            let form: ExperimentExportLines.Form = csv || export.hasSuffix(".csv") ? .csv : .json
            return try await store.withReach { try await UnitExport(experiment: experiment, file: export, form).write($0) }
        }
        let call = BackendCall("GET", BackendCall.target("/v1/experiments/\(experiment)/numbers", []))
        try judge(try await store.withReach { try await $0.call(call, within: .seconds(600)) }, showsRemarks: false)
    }

    private func list() async throws {
        let answer = try await store.withReach { try await $0.call(BackendCall("GET", "/v1/experiments"), within: .seconds(600)) }
        let list = try JSONDecoder().decode(ExperimentList.self, from: Data(answer))
        if store.json { return try store.printJSON(list) }
        for line in ExperimentTable(list).lines { Output.line(line) }
    }

    private func judge(_ bytes: [UInt8], showsRemarks: Bool) throws {
        let read = try NumbersDocument(bytes)
        if showsRemarks { for remark in read.remarks { Output.remark("warning: \(remark)") } }
        let results = try ResultsDocument(read.numbers)
        if let svg {
            let picture = ResultsPicture(results, read.numbers).text
            do { try Data(picture.utf8).write(to: URL(filePath: svg)) } catch {
                throw FileNotWritten(file: svg)
            }
        }
        if store.json { return try store.printJSON(results) }
        for line in ResultsPage(results, read.numbers).lines { Output.line(line) }
    }

    private func bytes(_ input: String) throws -> [UInt8] {
        // Reads one byte more than allowed, to notice a file that is too large.
        if input == "-" { return Array(try FileHandle.standardInput.read(upToCount: NumbersDocument.mostBytes + 1) ?? Data()) }
        guard let file = FileHandle(forReadingAtPath: input),
            let bytes = try? file.read(upToCount: NumbersDocument.mostBytes + 1)
        else {
            throw ValidationError("The file '\(input)' cannot be read. Check the path and who may read it.")
        }
        return Array(bytes)
    }
}

struct FileNotWritten: Error, CustomStringConvertible {
    let file: String
    var description: String { "'\(file)' cannot be written. Check the folder, its free space and who may write there." }
}
