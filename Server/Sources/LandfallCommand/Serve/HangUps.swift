// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import ServiceLifecycle
import UnixSignals

/// On SIGHUP the server reads its configuration file again. Other systems' operators know the signal for that, and a terminal that
/// is closed does not end the server.
struct HangUps: Service {
    private let server: LandfallServer
    private let signals: UnixSignalsSequence

    /// From now on the signal ends nothing.
    init(_ server: LandfallServer) async {
        self.server = server
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() { await server.publishConfiguration() }
    }
}
