// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// `landfall link import`.
struct LinkImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports links of another system from CSV; they keep their addresses.",
        discussion: """
            'firebase' reads the export of Firebase Dynamic Links, one file a domain. 'csv' reads columns by name: \
            \(LinkImport.columns.joined(separator: ", ")), as 'landfall link export' writes them, and usual names of other systems. Fields \
            stand between commas, semicolons, tabs or bars. Columns and values that no link has are named on standard error. A url on one \
            of 'domains.old' keeps that address for the app, and leads to a new link. A row that cannot be imported is reported with \
            line, column and reason; the other rows are imported, and the exit status is 1.
            """
    )

    @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
    var file: String

    @Option(help: "firebase or csv (csv).")
    var format: String?

    @Option(help: "utf-8, utf-16 or latin-1 (UTF-8 and UTF-16 are told apart).")
    var encoding: String?

    @Option(help: "The new brand domain of the links (the host of each link).")
    var domain: String?

    @OptionGroup var store: StoreOptions

    private func table() throws -> LinkImport {
        guard let format = LinkCatalog.Format(rawValue: format ?? "csv") else {
            throw ValidationError("--format is '\(format ?? "")'; use firebase or csv.")
        }
        let known = try encoding.map { name in
            guard let known = TableText.Encoding(rawValue: name.lowercased()) else {
                throw ValidationError("--encoding is '\(name)'; use utf-8, utf-16 or latin-1.")
            }
            return known
        }
        // One byte more than the limit, so that a larger file is refused and not cut.
        guard let handle = FileHandle(forReadingAtPath: file), let bytes = try? handle.read(upToCount: TableText.mostBytes + 1) ?? Data() else {
            throw ValidationError("The file '\(file)' cannot be read. Check the path and its permissions.")
        }
        do {
            return try LinkImport(try TableText.read(bytes, as: known), format)
        } catch { throw LinkRefused(description: "\(file): \(error)") }
    }

    func run() async throws {
        let table = try table()
        for remark in table.remarks { Output.remark("\(file): \(remark)") }
        let outcomes = try await store.withReach(makesStore: true) { reach in
            try await LinkCatalog { try await reach.call($0) }.take(table, domain: domain) { done, all in
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

/// `landfall link export`.
struct LinkExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes links as CSV, which 'landfall link import' takes back without a change.",
        discussion: """
            The stored links, page by page; --state file writes those of landfall.yaml. A table cannot have 'when' and previews by locale: \
            the command says how many links have them. --json writes one document with everything.
            """)

    @OptionGroup var filter: LinkFilterOptions

    @Option(help: "The file; a hyphen is standard output.", completion: .file())
    var output = "-"

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let cut = try await store.withReach { reach in
            var page = try await filter.page(reach, cursor: nil, limit: LinkList.longestPage)
            let file = try self.file()
            var cut = 0, isFirst = true
            try put(store.json ? #"{"links":["# : LinkImport.columns.joined(separator: ",") + "\r\n", file)
            while true {
                for link in page.links {
                    try put(try text(link, isFirst: isFirst), file)
                    if link.link.when != nil || link.link.preview?.fitsTable == false { cut += 1 }
                    isFirst = false
                }
                guard let next = page.next else { break }
                page = try await filter.page(reach, cursor: next, limit: LinkList.longestPage)
            }
            if store.json { try put("]}\n", file) }
            if output != "-" { try file.close() }
            return cut
        }
        if cut > 0, !store.json { Output.remark("\(cut) link(s) have 'when', or a preview with locales, an icon or a colour, which a table cannot have. Use --json for them.") }
    }

    private func text(_ link: LinkDocument, isFirst: Bool) throws -> String {
        if store.json { return (isFirst ? "\n" : ",\n") + String(decoding: try WireCoding.encode(link), as: UTF8.self) }
        return LinkLine.cells(link.link, url: link.url).joined(separator: ",") + "\r\n"
    }

    private func file() throws -> FileHandle {
        if output == "-" { return .standardOutput }
        guard FileManager.default.createFile(atPath: output, contents: nil), let file = FileHandle(forWritingAtPath: output) else {
            throw FileNotWritten(file: output)
        }
        return file
    }

    private func put(_ text: String, _ file: FileHandle) throws {
        do { try file.write(contentsOf: Data(text.utf8)) } catch { throw FileNotWritten(file: output) }
    }
}
