// SPDX-License-Identifier: Apache-2.0
#if canImport(Network) && os(Linux)  // The stand-in: Apple's own network cannot be changed by a test.
import LandfallApple
import LandfallTesting
import Network
import Testing

/// One after the other, because the network belongs to the process.
@Suite("The network path", .serialized, .timeLimit(.minutes(1)))
struct NetworkPathSignalsTests {
    let app = ScriptedApp()

    @Test(
        "A new path, or one that a connection would bring up, runs pending retries",
        arguments: [NWPath.Status.satisfied, .requiresConnection])
    func path(status: NWPath.Status) async {
        SimulatedNetwork.change(to: NWPath(.unsatisfied, .cellularDenied))
        app.server.isOffline = true
        let client = app.client { $0.platform = [NetworkPathSignals()] }
        client.start()
        while SimulatedNetwork.monitorCount == 0, !Task.isCancelled { await Task.yield() }
        await app.waitForFirstOpen()
        await app.settle()
        let tries = app.firstOpens.count
        app.server.isOffline = false

        SimulatedNetwork.change(to: NWPath(status))

        await app.waitForFirstOpen(count: tries + 1)
        await client.shutdown()
    }

    @Test(
        "A reason that only the person's settings change is a denial; no reason, and an available path, is not",
        arguments: [
            (NWPath(.unsatisfied), false), (NWPath(.unsatisfied, .cellularDenied), true),
            (NWPath(.unsatisfied, .wifiDenied), true), (NWPath(.unsatisfied, .localNetworkDenied), true),
            (NWPath(.unsatisfied, .vpnInactive), true), (NWPath(.satisfied, .cellularDenied), false),
            (NWPath(.requiresConnection, .vpnInactive), false),
        ])
    func denial(path: NWPath, isDenied: Bool) async {
        SimulatedNetwork.change(to: path)

        for await signal in NetworkPathSignals().signals() {
            #expect(signal == .networkPath(isSatisfied: path.status != .unsatisfied, isDenied: isDenied))
            break
        }
    }

    @Test("The source reports the path at once, and whether it is constrained, but not its cost")
    func says() async {
        SimulatedNetwork.change(to: NWPath(.satisfied, isConstrained: true))
        var heard: [PlatformSignal] = []

        for await signal in NetworkPathSignals().signals() {
            heard.append(signal)
            if heard.count == 1 { SimulatedNetwork.change(to: NWPath(.unsatisfied)) }
            if heard.count == 2 { SimulatedNetwork.change(to: NWPath(.satisfied, isExpensive: true)) }
            if heard.count == 3 { break }
        }

        #expect(
            heard == [
                .networkPath(isSatisfied: true, isConstrained: true), .networkPath(isSatisfied: false),
                .networkPath(isSatisfied: true),
            ])
    }

    @Test("After shutdown the path is not watched")
    func end() async {
        let client = app.client { $0.platform = [NetworkPathSignals()] }
        client.start()
        while SimulatedNetwork.monitorCount == 0, !Task.isCancelled { await Task.yield() }

        await client.shutdown()

        while SimulatedNetwork.monitorCount > 0, !Task.isCancelled { await Task.yield() }
    }
}
#endif
