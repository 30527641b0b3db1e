// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallRules
import LandfallServer

/// `landfall export-data`.
struct ExportDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-data", abstract: "Writes the stored rows of whole days into files, for a data warehouse.",
        discussion: """
            A file for each table and day, such as clicks-2026-11-28.jsonl, and manifest.json with the rows, bytes and SHA-256 of each. A \
            second run writes the same bytes, as long as the rows are the same. Days are in UTC, and a day can be exported when it is \
            over. The tables are first_opens, clicks, exposures, events, purchases, charges, assignments, installs and erasures: the last \
            one says whose rows a receiver has to delete. Prints its progress to standard error. A \
            bucket is written part by part, with the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; nothing of it is written on this \
            machine. Works in the folder of the store, also while its server \
            runs, or on its database beside the nodes.
            """
    )

    @Option(help: "The table; may be repeated (all tables).")
    var table: [String] = []

    @Option(help: "The first day, such as 2026-11-01 (the last day that is over).")
    var from: String?

    @Option(help: "The last day (the last day that is over).")
    var until: String?

    @Option(help: "jsonl, a JSON object a line, or csv.")
    var format = ExportFormat.jsonl.rawValue

    @Option(help: "The folder of the files, which is made if it is not there, or s3://BUCKET/PREFIX.", completion: .directory)
    var to: String

    @OptionGroup var s3: S3Options

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let order = try ExportOrder(tables: table, from: from, until: until, format: format, to: to)
        if case .server = try store.place() { throw ValidationError(ExportOrder.onlyLocal) }
        let manifest: ExportManifest
        switch order.place {
        case .folder(let path): manifest = try await write(order, to: ExportFolder(URL(filePath: path)))
        case .bucket(let place):
            let access = try s3.access()
            manifest = try await LiveOutboundHTTP.with { try await write(order, to: ExportBucket(place, access, by: $0)) }
        }
        if store.json { return try store.printJSON(manifest) }
        let days = manifest.from == manifest.until ? manifest.from : "\(manifest.from) to \(manifest.until)"
        Output.line("\(order.place) contains \(days): \(manifest.files.count) file(s), \(manifest.rows.inGroups) row(s).")
    }

    private func write(_ order: ExportOrder, to destination: any ExportDestination) async throws -> ExportManifest {
        try await store.withReach { reach in
            let offer = try JSONDecoder().decode(
                ExportOffer.self, from: Data(try await reach.call(BackendCall("GET", ExportRoutes.path))))
            let files = try order.files(of: offer)
            for line in files.left { Output.remark(line) }
            let pages: ExportRun.PageSource = { part, after in
                let target = BackendCall.target(
                    ExportRoutes.path + "/" + part.table.rawValue,
                    [("day", ReportDays.text(part.day)), ("format", order.format.rawValue), ("after", after)])
                return try ExportPage(wire: try await reach.call(BackendCall("GET", target), within: .seconds(600)))
            }
            // As long as the page took: phones of that server go first.
            let page = reach.isThroughServer ? ExportRun.resting(1, by: .live, pages) : pages
            let run = ExportRun(to: destination, format: order.format, page: page) { Output.remark($0) }
            return try await run.write(files.parts, files.days)
        }
    }
}
