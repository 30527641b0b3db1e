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
        "Without a path nothing is tried; with one, or with one that a connection would bring up, at once",
        arguments: [NWPath.Status.satisfied, .requiresConnection])
    func path(status: NWPath.Status) async {
        SimulatedNetwork.change(to: NWPath(.unsatisfied))
        let client = app.client {
            $0.platform = [NetworkPathSignals()]
            $0.opensOnActivation = true
        }
        client.start()
        while SimulatedNetwork.monitorCount == 0 { await Task.yield() }
        await app.settle()
        client.enteredForeground()
        await app.settle()

        SimulatedNetwork.change(to: NWPath(status))

        await app.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("The source says what the path is at once, whether it is constrained, and nothing of what it costs")
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

    @Test("After shutdown nothing is watched")
    func end() async {
        let client = app.client { $0.platform = [NetworkPathSignals()] }
        client.start()
        while SimulatedNetwork.monitorCount == 0 { await Task.yield() }

        await client.shutdown()

        while SimulatedNetwork.monitorCount > 0 { await Task.yield() }
    }
}
#endif
