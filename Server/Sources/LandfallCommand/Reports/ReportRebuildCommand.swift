// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallServer

/// `landfall report rebuild`.
struct ReportRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Counts days of reports again from the stored rows.",
        discussion: """
            The server counts the last three days again each night, so this is for a server that was restored, or whose metric \
            landfall_report_differences_total grew. Prints its progress to standard error. Works in the folder of the store, also while its \
            server runs.
            """
    )

    @Option(help: "The first day, such as 2026-11-01 (the first of the 30 days that end with --to).")
    var from: String?

    @Option(help: "The last day (today).")
    var to: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let rebuilt = try await store.withReach { reach in
            var rebuilt = RebuiltDays()
            rebuilt.next = from
            repeat {
                let target = BackendCall.target("/v1/rebuilds", [("from", rebuilt.next), ("to", to)])
                let answer = try await reach.call(BackendCall("POST", target), within: .seconds(600))
                let part = try JSONDecoder().decode(RebuiltDays.self, from: Data(answer))
                rebuilt.add(part)
                Output.remark(Self.progress(part))
            } while rebuilt.next != nil
            return rebuilt
        }
        if store.json { try store.printJSON(rebuilt) } else { Output.line(Self.text(of: rebuilt)) }
    }

    static func progress(_ part: RebuiltDays) -> String {
        guard let from = part.from, let to = part.to else { return "The first days are still being computed." }
        return "\(from) to \(to): \(changes(part))."
    }

    static func text(of rebuilt: RebuiltDays) -> String {
        "\(rebuilt.days) day(s) counted again in \(rebuilt.milliseconds) ms: \(changes(rebuilt))."
    }

    private static func changes(_ rebuilt: RebuiltDays) -> String {
        guard rebuilt.installs + rebuilt.changedDays + rebuilt.changedClickDays > 0 else { return "nothing differed" }
        return "\(rebuilt.installs) install(s), \(rebuilt.changedDays) day(s) of installs and \(rebuilt.changedClickDays) day(s) of clicks differed"
    }
}
