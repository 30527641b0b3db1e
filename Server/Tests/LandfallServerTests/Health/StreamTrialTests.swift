// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import NIOCore
import Testing

@testable import LandfallServer

@Suite("A trial of streams", .timeLimit(.minutes(1)))
struct StreamTrialTests {
    @Test("is four lines with pauses between, under the headers of a first open")
    func lines() async throws {
        try await TestServer.run { server in
            async let answer = server.send(.get, StreamTrialRoute.path, phone: nil)
            for _ in 1..<StreamTrialRoute.lines {
                await server.clock.waitForSleeper()
                server.clock.advance(by: StreamTrialRoute.pause)
            }
            let response = try await answer

            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "application/x-ndjson")
            #expect(response.headers[.xAccelBuffering] == "no")
            let lines = String(buffer: response.body).split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines[0].utf8.count >= FirstOpenStream.firstLineLength)
            #expect(lines[3] == #"{"line":4,"of":4,"padding":""}"#)
        }
    }

    @Test("needs an SDK key")
    func key() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, StreamTrialRoute.path, phone: nil, key: nil)

            #expect(answer.status == .unauthorized)
        }
    }

    @Test("is refused while as many as may be run, and a place comes back once")
    func bound() throws {
        let trials = StreamTrials()
        var places = (0..<StreamTrialRoute.most).compactMap { _ in trials.take() }

        #expect(places.count == StreamTrialRoute.most)
        #expect(trials.take() == nil)
        places[0].giveBack()
        places[0].giveBack()
        places[0] = try #require(trials.take())
        #expect(trials.take() == nil)
        places.removeAll()
        #expect(trials.take() != nil)
    }
}
