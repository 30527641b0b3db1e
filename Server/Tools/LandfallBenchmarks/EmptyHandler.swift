// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The cost of the framework alone: one route that answers with the same bytes. Every path of the server is measured against it
/// in the same run.
struct EmptyHandlerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty-handler", abstract: "Serves one fixed answer on loopback, until it is ended."
    )

    @Option(help: "Bytes of the answer.") var bytes = 471
    @Option(help: "The port; 0 picks a free one.") var port = 0

    func run() async throws {
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
        let router = Router()
        router.get("/**") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: nil, backlog: 4096, reuseAddress: true),
            onServerRunning: { channel in
                let line = "listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n"
                FileHandle.standardOutput.write(Data(line.utf8))
            },
            logger: Logger(label: "empty", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        try await application.runService()
    }
}
