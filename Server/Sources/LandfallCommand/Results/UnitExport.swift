// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallReports
import LandfallServer

/// Writes every unit of an experiment to a file, page by page: neither side has all of them in memory.
struct UnitExport {
    let experiment: String
    /// A hyphen is standard output.
    let file: String
    let form: ExperimentExportLines

    init(experiment: String, file: String, _ form: ExperimentExportLines.Form) {
        (self.experiment, self.file, self.form) = (experiment, file, ExperimentExportLines(form))
    }

    func write(_ reach: Reach) async throws {
        var page = try await page(reach, after: nil, basis: nil)
        let output = try output()
        try put(try form.head(page), output)
        while true {
            try put(try form.lines(page), output)
            guard let next = page.next else { break }
            page = try await self.page(reach, after: next, basis: page.basis)
        }
        if file != "-" { try output.close() }
    }

    /// Later pages use the basis of the first page.
    private func page(_ reach: Reach, after: String?, basis: String?) async throws -> ExperimentExport {
        let target = BackendCall.target("/v1/experiments/\(experiment)/units", [("after", after), ("basis", basis)])
        var tries = 0
        while true {
            do {
                let answer = try await reach.call(BackendCall("GET", target), within: .seconds(600))
                return try JSONDecoder().decode(ExperimentExport.self, from: Data(answer))
            } catch let refusal as BackendRefusal where refusal.code == "busy" && tries < Self.mostTries {
                // Other calls are counting: the export continues when they are done.
                tries += 1
                try await Task.sleep(for: .seconds(5))
            }
        }
    }

    /// How often one page is requested while the server is busy: about five minutes.
    private static let mostTries = 60

    private func output() throws -> FileHandle {
        if file == "-" { return .standardOutput }
        guard FileManager.default.createFile(atPath: file, contents: nil), let output = FileHandle(forWritingAtPath: file) else {
            throw FileNotWritten(file: file)
        }
        return output
    }

    private func put(_ lines: [String], _ output: FileHandle) throws {
        guard !lines.isEmpty else { return }
        do { try output.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8)) } catch { throw FileNotWritten(file: file) }
    }
}
