// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@Suite("POST /v1/events", .timeLimit(.minutes(1)))
struct EventRouteTests {
    @Test("Each event has an answer of its own: accepted, duplicate, rejected")
    func each() async throws {
        try await TestServer.run { server in
            let good = #"{"id":"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10","type":"paywall_shown","ageMilliseconds":0}"#
            let bad = #"{"id":"no id","type":"paywall_shown","ageMilliseconds":0}"#

            let answer = try await server.send(
                .post, WirePath.events, #"{"events":["# + [good, good, bad].joined(separator: ",") + "]}"
            )
            .decoded(EventBatchAnswer.self)

            #expect(answer.results.map(\.status) == [.accepted, .duplicate, .rejected])
            #expect(answer.results[2].code == .invalidValue)
        }
    }

    @Test("An empty batch and a batch of too many events are refused", arguments: [0, 501])
    func batchSize(count: Int) async throws {
        try await TestServer.run { server in
            let event = #"{"id":"a","type":"paywall_shown","ageMilliseconds":0}"#
            let body = #"{"events":["# + Array(repeating: event, count: count).joined(separator: ",") + "]}"

            let response = try await server.send(.post, WirePath.events, body)

            #expect(response.problem?.code == .invalidValue)
        }
    }
}
