// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Values that an app waits for", .timeLimit(.minutes(1)))
@MainActor
struct ValueTests {
    private let app = StartedApp(StartedApp.info)
    private let answers = Completions()

    private func adid(within limit: Duration = Connection.patience) {
        app.connection.adid(within: limit) { answers.call($0 ?? "nil") }
    }

    private func attribution(within limit: Duration = Connection.patience) {
        app.connection.attribution(within: limit) { answers.call($0?.network ?? "nil") }
    }

    @Test("adid is the installation's random id, as soon as it is known")
    func known() async throws {
        adid()
        app.connection.begin(StartedApp.config())
        await app.pass(.seconds(1))
        await answers.wait()

        let client = try #require(app.connection.client)
        let id = try #require(client.profile?.installID.rawValue)
        #expect(answers.links == [id])
        #expect(app.connection.adid == id)
        await client.shutdown()
    }

    @Test("Attribution is waited for, not answered with nil")
    func attributionLater() async throws {
        app.server.userCame(from: .appleAds, after: .seconds(6))
        app.connection.begin(StartedApp.config())

        attribution()
        attribution(within: .milliseconds(2000))
        await app.pass(.seconds(3))
        await answers.wait()
        #expect(answers.links == ["nil"])
        await app.pass(.seconds(5))
        await answers.wait(2)

        #expect(answers.links == ["nil", "Apple Search Ads"])
        await app.connection.client?.shutdown()
    }

    @Test("It is answered with nil once it is certain that it will not be known")
    func unavailable() async throws {
        app.server.attributionIsUnavailable(.collectionOff)
        app.connection.begin(StartedApp.config())

        attribution()
        await app.pass(.seconds(3))
        await answers.wait()

        #expect(answers.links == ["nil"])
        await app.connection.client?.shutdown()
    }

    @Test("Every call is answered once at its time limit, also without a client")
    func limits() async {
        adid(within: .milliseconds(500))
        attribution(within: .zero)
        adid()
        attribution()

        await app.pass(.seconds(1))
        await answers.wait(2)
        #expect(answers.links == ["nil", "nil"])
        await app.pass(Connection.patience)
        await answers.wait(4)
        await app.pass(.seconds(5))

        #expect(answers.links == ["nil", "nil", "nil", "nil"])
    }
}
