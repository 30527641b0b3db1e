// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallSQLite

/// `landfall restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces a folder's store with a backup. The folder's server must be stopped.",
        discussion: """
            The backup is copied and checked before anything is changed, and is not changed itself. The previous store is kept \
            beside the new one. The restored store gets a new epoch, so that phones accept its profiles as the newest.
            """
    )

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup var store: FolderOption

    @OptionGroup var output: JSONOption

    struct Outcome: Encodable {
        let data: String
        let bytes: Int64
        let epoch: Int64
        let replaced: String?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(data, forKey: .data)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(epoch, forKey: .epoch)
            try container.encode(replaced, forKey: .replaced)  // // Null if there was none.
        }

        private enum CodingKeys: String, CodingKey { case data, bytes, epoch, replaced }
    }

    func run() async throws {
        // Files of this process must not be accessible to other users, whatever umask it inherited.
        umask(0o077)
        let folder = store.folder()
        let now = Date.now
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        var epoch: Int64 = 0
        var told = 0
        let restored = try folder.restore(
            from: file, keepingAs: "landfall.replaced-\(now.formatted(style))",
            progress: { done, all in
                let percent = all > 0 ? done * 100 / all : 0
                if percent >= told + 10 { Output.remark("\(percent) % copied") }
                told = max(told, percent / 10 * 10)
            },
            preparing: { store, applied, replaced in
                epoch = try StoreRestoring.prepare(
                    store, applied: applied, replacing: replaced, nowMs: Int64(now.timeIntervalSince1970 * 1000))
            })
        let outcome = Outcome(data: folder.path, bytes: restored.bytes, epoch: epoch, replaced: restored.replaced)
        if output.json { return try output.write(outcome) }
        Output.line("'\(outcome.data)' contains the restored store: \(outcome.bytes) bytes, with the new epoch \(outcome.epoch).")
        if let replaced = outcome.replaced { Output.line("The previous store is in '\(replaced)'.") }
    }
}
