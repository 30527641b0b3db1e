// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

extension RealProcessTests {
    @Suite("A restart under load", .timeLimit(.minutes(2)))
    struct RestartTests {
        /// What one client has seen.
        private struct Seen {
            var answered = 0, refused = 0, closes = 0
            var failures: [String] = []
        }

        /// A client of the documented kind: it keeps its connection while the server does, and tries again only where a connection was
        /// refused. Everything else is a lost request.
        private static func client(_ port: Int, until isOver: @escaping @Sendable () -> Bool) -> Seen {
            var seen = Seen(), connection: RawConnection?
            while !isOver() {
                do {
                    let open = try connection ?? RawConnection(port: port)
                    connection = open
                    try open.send(RawConnection.request("GET", "/v1/placements/onboarding/paywall?audience=default"))
                    guard let answer = open.answer() else { throw RawConnection.Failure(call: "answer", code: 0) }
                    if answer.status == 200 { seen.answered += 1 } else { seen.failures.append("\(answer.status)") }
                    if answer.headers["connection"]?.lowercased() == "close" {
                        seen.closes += 1
                        connection = nil
                    }
                } catch let failure as RawConnection.Failure where failure.call == "connect" && failure.code == ECONNREFUSED {
                    seen.refused += 1
                    connection = nil
                    usleep(5_000)
                } catch {
                    seen.failures.append("\(error)")
                    connection = nil
                }
            }
            return seen
        }

        @Test("loses no request: connections end with an answer that says so, and the port accepts until the drain is over")
        func loses() async throws {
            try await ServingProcess.withFolder { folder in
                let first = try await ServingProcess.startOnStablePort(in: folder, environment: ["LANDFALL_DRAIN": "1"])
                let isOver = Atomic(false), port = first.port
                let results = Mutex<[Seen]>([]), clients = 8
                for _ in 0..<clients {
                    Thread.detachNewThread {
                        let seen = Self.client(port) { isOver.load(ordering: .relaxed) }
                        results.withLock { $0.append(seen) }
                    }
                }
                try await Task.sleep(for: .milliseconds(500))

                first.command.stop()
                let ending = await first.command.ending(within: .seconds(30))
                let second = try await ServingProcess.start(in: folder, port: port)
                try await Task.sleep(for: .milliseconds(1_500))
                isOver.store(true, ordering: .relaxed)
                while results.withLock({ $0.count }) < clients { try await Task.sleep(for: .milliseconds(10)) }
                try await second.ends()

                let seen = results.withLock { $0 }
                #expect(ending.status == 0)
                #expect(seen.flatMap(\.failures) == [])
                #expect(seen.allSatisfy { $0.answered > 10 && $0.closes > 0 })
            }
        }
    }
}
