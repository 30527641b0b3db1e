// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallSimulator

@Suite("The simulated Apple Ads", .timeLimit(.minutes(1)))
struct AppleAdsSimulatorTests {
    @Test("answers like Apple: status, type and body of each token")
    func answers() async throws {
        try await AppleAdsSimulator().application().test(.router) { client in
            try await client.ask("sim.attribution=true&campaignId=7") { answer in
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "application/json")
                let body = try WireCoding.decode(AppleAdsAnswer.self, from: .init(answer.body.readableBytesView))
                #expect(body.attribution)
                #expect(body.campaignId == 7)
                #expect(body.keywordId == 87_675_432)
            }
            try await client.ask("sim.attribution=false") { answer in
                #expect(answer.status == .ok)
                #expect(String(buffer: answer.body) == #"{"attribution":false}"#)
            }
            for status in [HTTPResponse.Status.badRequest, .internalServerError] {
                try await client.ask("sim.status=\(status.code)") { #expect($0.status == status) }
            }
            try await client.ask("sim.garbage=1") { answer in
                #expect(answer.status == .ok)
                #expect(throws: DecodingError.self) {
                    try WireCoding.decode(AppleAdsAnswer.self, from: .init(answer.body.readableBytesView))
                }
            }
        }
    }

    @Test("reports which token got which answer")
    func told() async throws {
        let (told, report) = AsyncStream.makeStream(of: String.self)
        let simulator = AppleAdsSimulator(onAnswer: { token, status in report.yield("\(token): \(status)") })

        try await simulator.application().test(.router) { client in
            try await client.ask("sim.notFound=1") { _ in }
            try await client.ask("sim.notFound=1") { _ in }
        }
        report.finish()

        #expect(await told.reduce(into: []) { $0.append($1) } == ["sim.notFound=1: 404", "sim.notFound=1: 200"])
    }

    @Test("counts 404 answers for each token separately")
    func notFound() async throws {
        try await AppleAdsSimulator().application().test(.router) { client in
            try await client.ask("sim.notFound=1&id=a") { #expect($0.status == .notFound) }
            try await client.ask("sim.notFound=1&id=b") { #expect($0.status == .notFound) }
            try await client.ask("sim.notFound=1&id=a") { #expect($0.status == .ok) }
        }
    }

    @Test("answers that any other token is invalid, and also one that is too long")
    func invalid() async throws {
        let long = "sim.id=" + String(repeating: "x", count: AppleAdsReply.longestToken)
        try await AppleAdsSimulator().application().test(.router) { client in
            for token in ["", "AAAA.real.token", long] {
                try await client.ask(token) { #expect($0.status == .badRequest) }
            }
        }
    }

    @Test("needs plain text, by POST, at Apple's path")
    func request() async throws {
        try await AppleAdsSimulator().application().test(.router) { client in
            try await client.ask("sim.", type: "application/json") { #expect($0.status == .badRequest) }
            try await client.ask("sim.", at: "/api/v2/") { #expect($0.status == .notFound) }
            try await client.execute(uri: AppleAdsSimulator.path, method: .get) { #expect($0.status != .ok) }
        }
    }

    @Test("waits before an answer for the token's delay; silence outlasts every caller")
    func delays() {
        let late = AppleAdsReply(to: "sim.delay=1200&notFound=1") { _ in 0 }
        let silent = AppleAdsReply(to: "sim.hang=1") { _ in 0 }

        #expect(late.delay == .milliseconds(1_200))
        #expect(late.response.status == .notFound)
        #expect(silent.delay >= .seconds(60))
    }

    @Test("listens on a port that the system picks, and reports it")
    func port() async throws {
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        let simulator = AppleAdsSimulator { report.yield($0) }

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await simulator.run() }
            let port = try #require(await ports.first { _ in true })
            #expect(port > 0)
            group.cancelAll()
        }
    }
}

extension TestClientProtocol {
    fileprivate func ask(
        _ token: String, at path: String = AppleAdsSimulator.path, type: String = "text/plain",
        check: @escaping (TestResponse) throws -> Void
    ) async throws {
        try await execute(
            uri: path, method: .post, headers: [.contentType: type], body: ByteBuffer(string: token), testCallback: check
        )
    }
}
