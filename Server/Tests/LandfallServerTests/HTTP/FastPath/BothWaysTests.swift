// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("A connection's own answer and the application's", .timeLimit(.minutes(2)))
struct BothWaysTests {
    @Test("are the same bytes, and store the same click")
    func table() async throws {
        try await BothWays.run { ways in
            for request in WrittenRequests.table {
                let answers = try await ways.ask(request)

                #expect(answers.loop == answers.application, "\(request)")
                #expect(answers.loop.hasPrefix("HTTP/1.1 "), "\(request)")
            }
            let clicks = (loop: try await ways.loop.clicks(), application: try await ways.application.clicks())
            #expect(clicks.loop == clicks.application)
            #expect(clicks.loop.count > 10)
        }
    }

    @Test("are the same bytes for every form of a request")
    func mutations() async throws {
        try await BothWays.run { ways in
            var requests = WrittenRequests(seed: 20_261_122)
            for _ in 0..<250 {
                let bytes = requests.next()

                let answers = try await ways.ask(bytes)

                #expect(answers.loop == answers.application, "\(bytes.debugDescription)")
            }
        }
    }

    @Test("are the same bytes wherever a request is cut", arguments: [0, 1, 2])
    func cuts(offset: Int) async throws {
        try await BothWays.run { ways in
            let bytes = WrittenRequests.request("GET /beach", "go.example.com") + WrittenRequests.request("GET /healthz", "localhost")
            for cut in stride(from: 1 + offset, to: bytes.utf8.count, by: 9) {
                let answers = try await ways.ask(bytes, pieces: [cut])

                #expect(answers.loop == answers.application, "cut at \(cut)")
                #expect(answers.loop.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).count == 3)
            }
        }
    }
}
