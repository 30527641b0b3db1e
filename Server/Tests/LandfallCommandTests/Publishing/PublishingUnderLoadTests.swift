// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import LandfallWire
import Synchronization
import Testing

extension RealProcessTests {
    @Suite("Publishing while requests are served", .timeLimit(.minutes(2)))
    struct PublishingUnderLoadTests {
        private static let key = "sk_" + String(repeating: "k", count: 32)
        private static let versions = 30
        /// At least so many answers come between two publications.
        private static let between = 50

        /// Both paywalls, their products and their remote config say the same number: that of the version.
        private static func yaml(_ number: Int) -> String {
            """
            app: { id: example, bundleId: com.example.app }
            keys: [{ sdk: pk_test }, { serverFrom: LANDFALL_SERVER_KEY, may: [configuration] }]
            paywalls:
              p\(number): { products: [product-\(number)], defaultLocale: en, remoteConfig: { en: { number: \(number) } } }
            audiences: { a\(number): { country: { is: ZZ } } }
            placements:
              onboarding: [{ audience: a\(number), paywall: p\(number) }, { audience: everyone, paywall: p\(number) }]
            """
        }

        /// Of each answer, the numbers that it says. Ends at the last version, or after a minute.
        private static func ask(_ port: Int, _ path: String, phone: Int?, _ answered: AnswerCount) throws -> [[Int]] {
            let connection = try RawConnection(port: port)
            let profile = phone.map { "Landfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-00000000000\($0).\(String(repeating: "A", count: 43))\r\n" }
            let request = Data("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer pk_test\r\n\(profile ?? "")\r\n".utf8)
            let end = Date().addingTimeInterval(60)
            var seen: [[Int]] = []
            while Date() < end {
                try connection.send(request)
                guard let answer = connection.answer() else { break }
                let said = try JSONDecoder().decode(PaywallAnswer.self, from: answer.body)
                let config = said.paywall?.remoteConfig?.value["number"]?.integer
                let texts = [said.paywall?.name.rawValue.dropFirst(), said.paywall?.productIds.first?.dropFirst("product-".count)]
                answered.increment()
                seen.append([Int(said.revision), config ?? -1] + texts.map { $0.flatMap { Int($0) } ?? -1 })
                if said.revision >= versions { break }
            }
            return seen
        }

        /// Of all connections together.
        private final class AnswerCount: Sendable {
            private let count = Mutex(0)

            func increment() { count.withLock { $0 += 1 } }

            /// Returns once so many more have come; after a minute whatever has come.
            func grows(by more: Int) async throws {
                let wanted = count.withLock { $0 } + more
                for _ in 0..<6_000 where count.withLock({ $0 }) < wanted { try await Task.sleep(for: .milliseconds(10)) }
            }
        }

        @Test("shows every request one whole version, and never an older one after a newer one")
        func whole() async throws {
            try await ServingProcess.withFolder { folder in
                let file = folder.appending(path: "landfall.yaml")
                try Data(Self.yaml(1).utf8).write(to: file)
                let server = try await ServingProcess.start(
                    in: folder.appending(path: "data"), configuration: file.path, environment: ["LANDFALL_SERVER_KEY": Self.key])
                let port = server.port
                let path = "/v1/placements/onboarding/paywall"
                let answered = AnswerCount()

                let seen = try await withThrowingTaskGroup(of: [[Int]].self) { group in
                    for phone in [nil, 1, 2, nil] as [Int?] {
                        group.addTask {
                            try await onThread { try Self.ask(port, phone == nil ? path + "?audience=default" : path, phone: phone, answered) }
                        }
                    }
                    for number in 2...Self.versions {
                        try await answered.grows(by: Self.between)
                        let body = Self.yaml(number)
                        let answer = try await onThread { () -> RawConnection.Answer? in
                            let connection = try RawConnection(port: port)
                            try connection.send(
                                "POST /v1/configuration HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(Self.key)\r\n"
                                    + "If-Match: \"\(number - 1)\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                            return connection.answer()
                        }
                        #expect(answer?.status == 200)
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }

                for answers in seen {
                    #expect(answers.allSatisfy { Set($0).count == 1 }, "\(answers.first { Set($0).count > 1 } ?? [])")
                    #expect(answers.map { $0[0] } == answers.map { $0[0] }.sorted())
                    #expect(answers.last?[0] == Self.versions)
                    #expect(Set(answers.map { $0[0] }).count > Self.versions / 2, "Publications did not meet requests.")
                }
                try await server.ends()
            }
        }
    }
}
