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
struct RowReadingTests {
    /// A report that reads rows until the test lets it end.
    private struct Reading: Sendable {
        let end: AsyncStream<Void>.Continuation
        let task: Task<Void, any Error>

        /// Returns once it has its place.
        static func begun(in places: RowPlaces) async -> Reading {
            let (begun, hasBegun) = AsyncStream<Void>.makeStream(), (ended, end) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await places.run(patience: {}) {
                    hasBegun.yield()
                    for await _ in ended { break }
                }
            }
            for await _ in begun { break }
            return Reading(end: end, task: task)
        }

        func finish() async throws {
            end.yield()
            try await task.value
        }
    }

    /// Waits as long as the test wants; ends when the task is cancelled.
    private struct Patience: Sendable {
        private let over: AsyncStream<Void>
        private let ends: AsyncStream<Void>.Continuation

        init() { (over, ends) = AsyncStream.makeStream() }

        func wait() async throws {
            for await _ in over { return }
            throw CancellationError()
        }

        func end() { ends.yield() }
    }

    private static func hasWaiting(_ count: Int, _ places: RowPlaces) async {
        while places.waiting != count { await Task.yield() }
    }

    @Test("One report waits until a slot is free; one more than may wait is refused at once")
    func waiting() async throws {
        let places = RowPlaces(most: 1, mostWaiting: 1), patience = Patience()
        let first = await Reading.begun(in: places)
        let second = Task { try await places.run(patience: patience.wait) { 2 } }
        await Self.hasWaiting(1, places)

        let refused = await #expect(throws: RequestError.self) { try await places.run(patience: Patience().wait) { 3 } }
        try await first.finish()

        #expect(refused?.code == .busy && refused?.status == .serviceUnavailable && refused?.retryAfter == 5)
        #expect(refused?.bound == .rowReports)
        #expect(try await second.value == 2)
        #expect(try await places.run(patience: patience.wait) { 4 } == 4)
    }

    @Test("A report that waited too long is refused with a time to try again, and its slot stays free for others")
    func late() async throws {
        let places = RowPlaces(most: 1, mostWaiting: 1), patience = Patience()
        let first = await Reading.begun(in: places)
        let second = Task { try await places.run(patience: patience.wait) { 2 } }
        await Self.hasWaiting(1, places)

        patience.end()

        await #expect(throws: RequestError.self) { try await second.value }
        #expect(places.waiting == 0)
        try await first.finish()
        #expect(try await places.run(patience: patience.wait) { 3 } == 3)
    }

    @Test("A caller that disconnects while waiting takes no slot; a report that fails gives its slot back")
    func leaving() async throws {
        let places = RowPlaces(most: 1, mostWaiting: 1), patience = Patience()
        let first = await Reading.begun(in: places)
        let second = Task { try await places.run(patience: patience.wait) { 2 } }
        await Self.hasWaiting(1, places)

        second.cancel()

        await #expect(throws: CancellationError.self) { try await second.value }
        try await first.finish()
        await #expect(throws: RequestError.self) { try await places.run(patience: patience.wait) { throw RequestError.notFound } }
        #expect(try await places.run(patience: patience.wait) { 3 } == 3)
    }

    @Test("If every slot is taken, the API and the console say that they are busy, and answer again when one is free")
    func routes() async throws {
        try await ReportedApp.run { app in
            let places = app.server.services.rowPlaces
            let browser = try await ConsoleBrowser.signedIn(app.server, as: .owner)
            let target = "/v1/reports/campaigns?by=adSet,country"
            let readings = [await Reading.begun(in: places), await Reading.begun(in: places)]
            let waiting = (1...16).map { _ in Task { try await places.run(patience: Patience().wait) {} } }
            await Self.hasWaiting(16, places)

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

    @Test("The third call that counts experiments waits for a slot; if the queue is full, the API and the console say that they are busy")
    func experiments() async throws {
        try await ExperimentRouteTests.run { server in
            let places = server.server.services.countingPlaces
            let browser = try await ConsoleBrowser.signedIn(server.server, as: .viewer)
            let readings = [await Reading.begun(in: places), await Reading.begun(in: places)]
            let third = Task { try await ExperimentRouteTests.get("/v1/experiments/spring-price/results", server).status }
            await Self.hasWaiting(1, places)
            let waiting = (1...15).map { _ in Task { try await places.run(patience: Patience().wait) {} } }
            await Self.hasWaiting(16, places)

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

    @Test("The impact of a version uses the slots of experiments, and is refused with a time to try again if the queue is full")
    func impact() async throws {
        try await PublishingServer.run { publisher in
            let places = publisher.server.services.countingPlaces
            let readings = [await Reading.begun(in: places), await Reading.begun(in: places)]
            let waiting = (1...16).map { _ in Task { try await places.run(patience: Patience().wait) {} } }
            await Self.hasWaiting(16, places)

            let answer = try await publisher.send(.post, "/impact", PublishingServer.yaml("special"))

            #expect(answer.status == .serviceUnavailable && answer.problem?.code == .busy && answer.headers[.retryAfter] == "5")
            #expect(answer.problem?.message.contains("counting experiments") == true)
            for reading in readings { try await reading.finish() }
            for task in waiting { try await task.value }
            #expect(try await publisher.send(.post, "/impact", PublishingServer.yaml("special")).status == .ok)
        }
    }
}
