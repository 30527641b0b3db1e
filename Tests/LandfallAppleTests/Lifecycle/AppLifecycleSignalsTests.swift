// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && os(Linux)  // The stand-in: Apple's own application cannot be moved by a test.
import LandfallApple
import LandfallTesting
import LandfallWire
import Testing

/// One after the other, because the application belongs to the process. Each test goes the way that iOS goes.
@Suite("UIKit's lifecycle", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct AppLifecycleSignalsTests {
    let app = ScriptedApp()
    let application = PhoneApplication()

    init() { application.begin() }

    private func start(isPrewarmed: Bool = false) -> LandfallClient {
        let client = app.client {
            $0.platform = [AppLifecycleSignals(isPrewarmed: isPrewarmed)]
            $0.opensOnActivation = true
        }
        client.start()
        return client
    }

    @Test("A visible launch: started before there is an application, it opens as it comes to the foreground")
    func coldLaunch() async {
        let client = start()
        await app.settle()
        application.finishLaunching()
        await app.settle()
        #expect(app.firstOpens.isEmpty)

        application.willEnterForeground()
        await app.waitForFirstOpen()
        application.didBecomeActive()
        await app.settle()

        #expect(app.firstOpens.count == 1)
        await client.shutdown()
    }

    @Test("A prewarmed launch is not an open in any state of UIKit, until a person opens the app")
    func prewarmed() async {
        let client = start(isPrewarmed: true)
        application.finishLaunching()
        application.reportsInactive()
        await app.settle()
        app.clock.advance(by: .seconds(3 * 3600))
        await app.settle()
        #expect(app.server.requests.isEmpty)

        application.open()

        await app.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("A launch in the background, for a push for example, is not an open until a person opens the app")
    func background() async {
        let client = start()
        application.finishLaunching()
        await app.settle()
        app.clock.advance(by: .seconds(20))
        await app.settle()
        #expect(app.server.requests.isEmpty)

        application.open()

        await app.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("A client that is made while the app is visible opens at once", arguments: [true, false])
    func late(isActive: Bool) async {
        application.finishLaunching()
        if isActive { application.open() } else { application.reportsInactive() }

        let client = start()

        await app.waitForFirstOpen()
        await client.shutdown()
    }

    @Test("A return to the foreground runs pending retries at once")
    func comingBack() async {
        app.server.on("POST", WirePath.firstOpen) { _ in throw TransportError(.connectionFailed) }
        let client = start()
        application.finishLaunching()
        application.open()
        await app.waitForFirstOpen()
        await app.settle()
        let before = app.firstOpens.count

        application.close()
        application.open()

        await app.waitForFirstOpen(count: before + 1)
        await client.shutdown()
    }

    @Test("After shutdown the client no longer listens to UIKit")
    func shutdown() async {
        let client = start()
        await app.settle()
        await client.shutdown()

        application.finishLaunching()
        application.open()
        await app.settle()

        #expect(app.server.requests.isEmpty)
    }
}
#endif
