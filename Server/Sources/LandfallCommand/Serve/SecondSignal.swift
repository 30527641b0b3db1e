// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// A second signal ends the server at once. The store is not harmed: everything that was answered is on disk.
struct SecondSignal: Service {
    private let signals: UnixSignalsSequence
    private let logger: Logger

    init(logger: Logger) async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        self.logger = logger
    }

    func run() async {
        var count = 0
        for await _ in signals.cancelOnGracefulShutdown() {
            count += 1
            guard count > 1 else { continue }
            logger.warning("The server was asked to stop for the second time and ends now.")
            _exit(1)
        }
    }
}
