// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Synchronization
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("A command that listens to webhooks", .timeLimit(.minutes(1)))
struct WebhookListeningTests {
    private struct Refused: Error, CustomStringConvertible { let description = "connection refused" }

    private static func message(_ number: Int64) -> WebhookMessagesDocument.Message {
        .init(id: "m\(number)", type: "first_open", sequence: number, headers: ["webhook-id": "m\(number)"], body: #"{"data":{"sequence":\#(number)}}"#)
    }

    /// What a server answers, in order; after that the listening is over.
    private enum Answer { case newest(Int64), page([Int64]), away, status(Int) }

    /// - Returns: what was asked, the lines, and the remarks.
    private static func listen(_ answers: [Answer], forward: (@Sendable (WebhookMessagesDocument.Message) async throws -> Int)?) async
        -> (asked: [Int64?], heard: [WebhookListening.Heard], remarks: [String])
    {
        let rest = Mutex(answers), asked = Mutex<[Int64?]>([]), heard = Mutex<[WebhookListening.Heard]>([]), remarks = Mutex<[String]>([])
        let listening = WebhookListening(
            messages: { after in
                asked.withLock { $0.append(after) }
                guard let answer = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw CancellationError() }
                switch answer {
                case .newest(let number): return WebhookMessagesDocument(sequence: number, messages: [])
                case .page(let numbers): return WebhookMessagesDocument(sequence: numbers.last ?? after ?? 0, messages: numbers.map { message($0) })
                case .away: throw ServerUnreached(place: "https://api.example.com", reason: "gone")
                case .status(let status):
                    try BackendRefusal.check(status: status, [])
                    throw CancellationError()
                }
            },
            forward: forward, tell: { line in heard.withLock { $0.append(line) } }, remark: { text in remarks.withLock { $0.append(text) } },
            time: ServerTime(nowMs: { 1_000 }, sleep: { _ in }))
        try? await listening.run()
        return (asked.withLock(\.self), heard.withLock(\.self), remarks.withLock(\.self))
    }

    @Test("Begins with the newest number, hands each message on once, and goes on after a server that was away")
    func each() async throws {
        let forwarded = Mutex<[String]>([])
        let (asked, heard, remarks) = await Self.listen([.newest(7), .page([8, 9]), .away, .away, .page([10]), .page([])]) { message in
            forwarded.withLock { $0.append(message.id) }
            if message.sequence == 9 { throw Refused() }
            return 204
        }

        #expect(asked == [nil, 7, 9, 9, 9, 10, 10])
        #expect(forwarded.withLock(\.self) == ["m8", "m9", "m10"])
        #expect(heard.map(\.line) == [
            "8  first_open  m8  204 after 0 ms", "9  first_open  m9  no answer: connection refused", "10  first_open  m10  204 after 0 ms",
        ])
        #expect(remarks.count == 2 && remarks[0].contains("did not answer") && remarks[1] == "The server answers again.")
    }

    @Test("A proxy that answers for a server that restarts does not end it; a refusal does", arguments: [(502, true), (429, true), (404, false)])
    func refused(status: Int, goesOn: Bool) async throws {
        let (asked, heard, remarks) = await Self.listen([.newest(7), .status(status), .page([8])], forward: nil)

        #expect(asked == (goesOn ? [nil, 7, 7, 8] : [nil, 7]))
        #expect(heard.count == (goesOn ? 1 : 0) && remarks.count == (goesOn ? 2 : 0))
    }

    @Test("Without a receiver it only shows; as JSON with the body")
    func shown() async throws {
        let (_, heard, _) = await Self.listen([.newest(0), .page([1])], forward: nil)

        let line = try #require(heard.first)
        #expect(line.line == "1  first_open  m1")
        #expect(try line.json == #"{"body":{"data":{"sequence":1}},"id":"m1","sequence":1,"type":"first_open"}"#)
    }

    @Test("A first question that fails ends the command")
    func first() async throws {
        let (asked, heard, _) = await Self.listen([.away], forward: nil)

        #expect(asked == [nil] && heard.isEmpty)
    }

    @Test("An endpoint is named by number, host or id; one that is not clear is asked for")
    func chosen() throws {
        func endpoint(_ number: Int, _ host: String) -> WebhookEndpointsDocument.Endpoint {
            .init(
                id: "k\(number)", number: number, host: host, types: [], state: "on", offSinceMilliseconds: nil, failingSinceMilliseconds: nil,
                lastFailure: nil, waiting: 0, oldestWaitingMilliseconds: nil, givenUp: 0)
        }
        let all = [endpoint(1, "a.example"), endpoint(2, "b.example"), endpoint(3, "b.example")]

        for text in ["1", "k1", "a.example"] { #expect(try WebhookEndpointOption.chosen(text, of: all).number == 1) }
        #expect(try WebhookEndpointOption.chosen(nil, of: [all[0]]).number == 1)
        for (text, of) in [(nil, all), ("b.example", all), ("4", all), (nil, [])] as [(String?, [WebhookEndpointsDocument.Endpoint])] {
            #expect(throws: (any Error).self) { try WebhookEndpointOption.chosen(text, of: of) }
        }
    }
}
