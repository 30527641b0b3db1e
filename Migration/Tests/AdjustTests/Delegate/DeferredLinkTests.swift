// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallAppClient
import LandfallTesting
import Testing

@Suite("The link from before the installation", .timeLimit(.minutes(1)))
@MainActor
struct DeferredLinkTests {
    private static let destination = "https://brandname.go.link/summer-clothes?promo=beach"
    private let opened = Completions()

    /// Starts an app whose server has such a link, and lets time pass.
    private func start(_ delegate: (any AdjustDelegate)?) async throws -> LandfallClient {
        let app = StartedApp(["LandfallServerURL": "https://api.example.com", "LandfallSDKKey": "pk_demo"])
        app.server.hasDeferredLink(
            URL(string: "https://brandname.go.link/beach")!, leadingTo: try #require(URL(string: Self.destination)))
        app.connection.begin(
            StartedApp.config {
                $0.delegate = delegate
                $0.opening = { opened.call($0.absoluteString) }
            })
        await app.pass(.seconds(2))
        return try #require(app.connection.client)
    }

    @Test("reaches a delegate of the first generation, and is opened if it says so", arguments: [true, false])
    func first(_ opens: Bool) async throws {
        let delegate = First()
        delegate.opens = opens

        let client = try await start(delegate)

        #expect(delegate.links == [Self.destination])
        #expect(opened.links == (opens ? [Self.destination] : []))
        #expect(await client.deferredLink(within: .zero) == .none)
        await client.shutdown()
    }

    @Test("reaches a delegate with both methods once, by the second generation's")
    func both() async throws {
        let delegate = Both()

        let client = try await start(delegate)

        #expect(delegate.calls == ["second"])
        #expect(opened.links.isEmpty)
        await client.shutdown()
    }

    @Test("is opened where no delegate asks for it: such an app reads no inbox", arguments: [true, false])
    func unheard(_ hasDelegate: Bool) async throws {
        let delegate = Neither()

        let client = try await start(hasDelegate ? delegate : nil)

        #expect(opened.links == [Self.destination])
        await client.shutdown()
    }

    /// The links by which an app names its own.
    enum Naming: CaseIterable {
        case infoPlist, config, otherModule
    }

    @Test("is opened by the system in the form of the app's scheme, wherever the app names its links", arguments: Naming.allCases)
    func configured(_ naming: Naming) async throws {
        var info = StartedApp.info as [String: Any]
        if naming == .infoPlist {
            info["LandfallLinks"] = ["brand": ["brandname.go.link"], "schemes": ["example"]] as [String: Any]
        }
        let links = LinkRules(domains: LinkDomains(brand: ["brandname.go.link"], schemes: ["example"]))
        let app = StartedApp(info) { link in
            opened.call(link.absoluteString)
            return true
        }
        app.server.hasDeferredLink(
            URL(string: "https://brandname.go.link/beach")!, leadingTo: try #require(URL(string: Self.destination)))
        if naming == .otherModule {
            var other = LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!)
            other.links = links
            _ = app.shared.client(other, make: app.connection.makeClient)
        }

        app.connection.begin(StartedApp.config { if naming == .config { $0.links = links } })
        await app.pass(.seconds(2))

        #expect(opened.links == ["example://summer-clothes?promo=beach"])
        await app.connection.client?.shutdown()
    }

    @Test("comes again at the next launch where the system opens nothing, and the log says what to do", arguments: [true, false])
    func unopened(_ hasDelegate: Bool) async throws {
        let (storage, delegate) = (MemoryStorage(), First())
        let app = StartedApp(StartedApp.info, storage: storage)
        app.server.hasDeferredLink(
            URL(string: "https://brandname.go.link/beach")!, leadingTo: try #require(URL(string: Self.destination)))
        app.connection.begin(StartedApp.config { $0.delegate = hasDelegate ? delegate : nil })
        await app.pass(.seconds(2))
        await app.connection.client?.shutdown()

        let next = StartedApp(StartedApp.info, storage: storage) { link in
            opened.call(link.absoluteString)
            return true
        }
        next.connection.begin(StartedApp.config())
        await next.pass(.seconds(2))

        #expect(app.lines.texts().count == 1, "\(app.lines.texts())")
        #expect(app.lines.texts().first?.contains("Set ADJConfig.opening") == true)
        #expect(delegate.links == (hasDelegate ? [Self.destination] : []))
        #expect(opened.links == [Self.destination])
        await next.connection.client?.shutdown()
    }

    @Test("has the form of the app's scheme when the system opens it, so that iOS does not send it to Safari")
    func systemForm() throws {
        let server = AdjustServer()
        let client = server.client()
        let link = try #require(URL(string: Self.destination))

        #expect(
            SystemOpening.form(of: link, for: client, schemes: ["example"]).absoluteString == "example://summer-clothes?promo=beach")
        #expect(SystemOpening.form(of: link, for: client, schemes: []) == link)
        let foreign = try #require(URL(string: "https://elsewhere.example.org/a"))
        #expect(SystemOpening.form(of: foreign, for: client, schemes: ["example"]) == foreign)
    }

    @Test("The installation is told once in a launch, with its id")
    func session() async throws {
        let delegate = First()

        let client = try await start(delegate)

        #expect(delegate.sessions == [client.profile?.installID.rawValue])
        await client.shutdown()
    }

    private final class First: NSObject, AdjustDelegate {
        var opens = true
        var links: [String] = []
        var sessions: [String?] = []

        func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
            MainActor.preconditionIsolated()
            links += [deeplink?.absoluteString].compactMap(\.self)
            return opens
        }

        func adjustSessionTrackingSucceeded(_ session: ADJSessionSuccess?) { sessions.append(session?.adid) }
    }

    private final class Both: NSObject, AdjustDelegate {
        var calls: [String] = []

        func adjustDeeplinkResponse(_ deeplink: URL?) -> Bool {
            calls.append("first")
            return true
        }

        func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool {
            calls.append("second")
            return false
        }
    }

    private final class Neither: NSObject, AdjustDelegate {}
}
