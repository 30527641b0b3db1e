// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import ServiceLifecycle
import UnixSignals

/// On SIGHUP the server reads its configuration file again, as other servers do. Closing
/// a terminal does not end the server.
struct HangUps: Service {
    private let server: LandfallServer
    private let notice: ServiceNotice
    private let signals: UnixSignalsSequence

    /// From now on the signal does not end the process.
    init(_ server: LandfallServer, _ notice: ServiceNotice) async {
        self.server = server
        self.notice = notice
        signals = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() {
            notice.reloading()
            await server.publishConfiguration()
            notice.ready()
        }
    }
}
