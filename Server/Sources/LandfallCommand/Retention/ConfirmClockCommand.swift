// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// `landfall confirm-clock`.
struct ConfirmClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm-clock", abstract: "Confirms that this machine's clock is right, so that old rows are deleted again.",
        discussion: """
            A server whose clock is more than seven days ahead of the newest time that its store knows deletes no old rows: the clock may \
            be wrong. After a long stop, or a restored backup, the clock is right: this command says so. Works in the folder of the store, \
            also while its server runs.
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.withReach { try await $0.call(BackendCall("POST", "/v1/retention/clock")) }
        let confirmed = try JSONDecoder().decode(ConfirmedClock.self, from: Data(answer))
        if store.json { try store.printJSON(confirmed) } else { Output.line(confirmed.text) }
    }
}
