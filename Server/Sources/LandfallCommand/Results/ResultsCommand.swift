// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallResults

/// `landfall results`.
struct ResultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Judges an experiment from its numbers, at any look.",
        discussion: """
            Reads the numbers from a JSON file and needs no server. The order of the page is the order in which to read it: health, verdict, \
            primary metric, guardrails, the rest. The words are higher, lower, not decided, safe and harmed; if the sample ratio \
            failed, every verdict is suppressed. All intervals are valid however often one looks. The form of the file: \
            docs/features/experiments.md.
            """
    )

    @Option(help: "A JSON file with the numbers; - is standard input.", completion: .file(extensions: ["json"]))
    var input: String

    @Option(help: "Also writes a picture to this file, as SVG.", completion: .file(extensions: ["svg"]))
    var svg: String?

    @OptionGroup var output: JSONOption

    func run() throws {
        let read = try NumbersDocument(try bytes())
        for remark in read.remarks { Output.remark("warning: \(remark)") }
        let results = try ResultsDocument(read.numbers)
        if let svg {
            let picture = ResultsPicture(results, read.numbers).text
            do { try Data(picture.utf8).write(to: URL(filePath: svg)) } catch {
                throw PictureNotWritten(
                    description: "The picture cannot be written to '\(svg)'. Check the folder and who may write there.")
            }
        }
        if output.json {
            try output.write(results)
        } else {
            for line in ResultsPage(results, read.numbers).lines { Output.line(line) }
        }
    }

    private func bytes() throws -> [UInt8] {
        // One byte more than may be read says that it is too much.
        if input == "-" { return Array(try FileHandle.standardInput.read(upToCount: NumbersDocument.mostBytes + 1) ?? Data()) }
        guard let file = FileHandle(forReadingAtPath: input),
            let bytes = try? file.read(upToCount: NumbersDocument.mostBytes + 1)
        else {
            throw ValidationError("The file '\(input)' cannot be read. Check the path and who may read it.")
        }
        return Array(bytes)
    }

    private struct PictureNotWritten: Error, CustomStringConvertible { let description: String }
}
