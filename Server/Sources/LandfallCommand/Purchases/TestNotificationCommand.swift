// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall test-notification`.
struct TestNotificationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-notification", abstract: "Asks the App Store for a test notification, and says how it arrived.",
        discussion: """
            Needs 'purchases.api' in the configuration and a running server, to which Apple posts. Waits up to 30 seconds. The exit \
            status is 1 if it has not arrived.
            """
    )

    @Flag(help: "Ask for one of the sandbox.")
    var sandbox = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let test = try await store.withReach { try await $0.testNotification(sandbox: sandbox) }
        if store.json { try store.printJSON(test) } else { Output.line(test.sentence) }
        if !test.isGood { throw ExitCode.failure }
    }
}

extension Reach {
    func testNotification(sandbox: Bool = false) async throws -> TestNotification {
        let answer = try await call(BackendCall("POST", TestNotificationRoutes.path + (sandbox ? "?environment=sandbox" : "")))
        return try JSONDecoder().decode(TestNotification.self, from: Data(answer))
    }
}
