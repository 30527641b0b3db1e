// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("Reports that read rows", .timeLimit(.minutes(1)))
struct RowReaderTests {
    private static func hasWaiting(_ count: Int, _ permits: AsyncSemaphore) async {
        while permits.waiting != count { await Task.yield() }
    }

    /// Takes every permit of a node.
    private static func allTaken(_ permits: AsyncSemaphore) async throws -> [HeldPermit] {
        [try await HeldPermit.begun(permits), try await HeldPermit.begun(permits)]
    }

    /// Calls that wait as long as the test wants.
    private static func waiting(_ count: Int, for permits: AsyncSemaphore) -> [Task<Void, any Error>] {
        let clock = ManualClock()
        return (1...count).map { _ in Task { try await permits.withPermit(within: .seconds(10), by: clock.serverTime) {} } }
    }

    @Test(
        "A call that finds the queue full or waits ten seconds is refused with a time to try again; a failing one gives its permit back",
        arguments: [(.reports, .rowReports, "Other reports are reading"), (.countings, .countings, "Other calls are counting")]
            as [(RowReader.Kind, Limit, String)])
    func refused(kind: RowReader.Kind, limit: Limit, sentence: String) async throws {
        let permits = AsyncSemaphore(permits: 1, mostWaiting: 1), clock = ManualClock()
        let reading = RowReader(kind, permits: permits, time: clock.serverTime)
        let first = try await HeldPermit.begun(permits)
        let second = Task { try await reading.run { 2 } }
        await Self.hasWaiting(1, permits)

        let full = await #expect(throws: LimitReached.self) { try await reading.run { 3 } }
        await clock.waitForSleeper()
        clock.advance(by: RowReader.patience)
        let late = await #expect(throws: LimitReached.self) { try await second.value }

        for refused in [full, late] {
            #expect(refused?.code == .busy && refused?.retryAfter == 5)
            #expect(refused?.limit == limit && refused?.description.hasPrefix(sentence) == true)
        }
        try await first.finish()
        await #expect(throws: RequestError.notFound) { try await reading.run { throw RequestError.notFound } }
        #expect(try await reading.run { 4 } == 4)
    }

    @Test("With every permit taken, the API and the console say that they are busy, and answer again when one is free")
    func routes() async throws {
        try await ReportedApp.run { app in
            let permits = app.server.services.rowReads
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)
            let target = "/v1/reports/campaigns?by=adSet,country"
            let readings = try await Self.allTaken(permits)
            let waiting = Self.waiting(16, for: permits)
            await Self.hasWaiting(16, permits)

            let answer = try await app.server.send(.get, target, phone: nil, key: LinkRouteServer.serverKey)
            let clicks = try await app.server.send(.get, "/v1/reports/links?by=path,country", phone: nil, key: LinkRouteServer.serverKey)
            let counted = try await app.server.send(.get, "/v1/reports/links", phone: nil, key: LinkRouteServer.serverKey)
            let page = try await browser.get("/console/reports/campaigns?by=adSet,country")

            #expect(answer.status == .serviceUnavailable && answer.problem?.code == .busy && answer.headers[.retryAfter] == "5")
            #expect(clicks.status == .serviceUnavailable && counted.status == .ok)
            #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] == "5")
            #expect(page.page.contains(Words(.english).busyTitle))

            for reading in readings { try await reading.finish() }
            for task in waiting { try await task.value }
            #expect(try await app.server.send(.get, target, phone: nil, key: LinkRouteServer.serverKey).status == .ok)
        }
    }

    @Test("The third call that counts experiments waits for a permit; with the queue full, the API and the console say that they are busy")
    func experiments() async throws {
        try await ExperimentRouteTests.run { server in
            let permits = server.server.services.countings
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            let readings = try await Self.allTaken(permits)
            let third = Task { try await ExperimentRouteTests.get("/v1/experiments/spring-price/results", server).status }
            await Self.hasWaiting(1, permits)
            let waiting = Self.waiting(15, for: permits)
            await Self.hasWaiting(16, permits)

            for rest in ["", "/spring-price/results", "/spring-price/numbers", "/spring-price/units"] {
                let answer = try await ExperimentRouteTests.get("/v1/experiments" + rest, server)
                #expect(answer.status == .serviceUnavailable && answer.problem?.code == .busy && answer.headers[.retryAfter] == "5", "\(rest)")
            }
            for rest in ["", ".json", ".csv", "/spring-price", "/spring-price.json"] {
                let page = try await browser.get("/console/experiments" + rest)
                #expect(page.status == .serviceUnavailable && page.headers[.retryAfter] == "5", "\(rest)")
            }

            for reading in readings { try await reading.finish() }
            for task in waiting { try await task.value }
            #expect(try await third.value == .ok)
            #expect(try await browser.get("/console/experiments/spring-price").status == .ok)
        }
    }

    @Test("The impact of a version is measured with the permits of experiments, and refused with a time to try again where the queue is full")
    func impact() async throws {
        try await PublishingServer.run { publisher in
            let permits = publisher.server.services.countings
            let readings = try await Self.allTaken(permits)
            let waiting = Self.waiting(16, for: permits)
            await Self.hasWaiting(16, permits)

            let answer = try await publisher.send(.post, "/impact", PublishingServer.yaml("special"))

            #expect(answer.status == .serviceUnavailable && answer.problem?.code == .busy && answer.headers[.retryAfter] == "5")
            #expect(answer.problem?.message.contains("counting experiments") == true)
            for reading in readings { try await reading.finish() }
            for task in waiting { try await task.value }
            #expect(try await publisher.send(.post, "/impact", PublishingServer.yaml("special")).status == .ok)
        }
    }
}
