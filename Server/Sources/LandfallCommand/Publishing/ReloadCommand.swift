// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSQLite
import LandfallServer
import LandfallWire

/// `landfall reload`.
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Makes the server of a folder read its landfall.yaml again.",
        discussion: """
            The same as SIGHUP, but the command waits, prints the result, and ends with 1 if the file is not served: for ExecReload= \
            of a service.
            """
    )

    @OptionGroup var store: FolderOption

    @OptionGroup var form: JSONOption

    private struct Reloaded: Codable { let version: Int64 }

    func run() async throws {
        let folder = store.folder()
        if folder.isClosed { throw FolderClosed(folder: folder) }
        guard let socket = StoreSocketPath(folder), await ServerConnection.answers(socket) else { throw NoServer(folder: folder) }
        let body = try await ServerConnection.with(socket: socket) {
            try await $0.call(BackendCall("POST", "/v1/configuration/reload"), within: .seconds(60))
        }
        let reloaded = try WireCoding.decode(Reloaded.self, from: Data(body))
        if form.json { return try form.write(reloaded) }
        Output.line("The file is read: version \(reloaded.version) is served.")
    }
}

struct NoServer: Error, CustomStringConvertible {
    let folder: StoreFolder

    var description: String {
        "No server answers at '\(folder.socket)'. Start one with 'landfall serve', or name the folder of its store with --data."
    }
}
