// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A broken first-open stream", .timeLimit(.minutes(1)))
struct BrokenStreamTests {
    private static let lines: [FirstOpenLine] = .undecided + .becomesTargeted
    private static func bytes(_ lines: [FirstOpenLine] = lines) throws -> Data {
        try lines.reduce(into: Data()) { $0 += try WireCoding.encode($1) + Data("\n".utf8) }
    }

    @Test(
        "cut at any byte still gives the best paywall so far, by the deadline, and does no harm", arguments: [true, false])
    func cutAtEveryByte(isReset: Bool) async throws {
        let stream = try Self.bytes()
        for length in stride(from: 0, through: stream.count, by: isReset ? 1 : 9) {
            let prefix = stream.prefix(length)
            let phone = Phone()
            phone.firstOpen {
                let body = ScriptedBody()
                body.send(prefix)
                if isReset { body.fail() } else { body.finish() }
                return ScriptedAnswer(body: body)
            }
            phone.plain { _ in throw TransportError(.connectionFailed) }

            let whole = prefix.count { $0 == UInt8(ascii: "\n") }

            let result = try await paywall(on: phone, after: whole == 0 ? 1 : 2, isTimeNeeded: whole < 6)

            switch whole {
            case 6...: #expect(result.paywall?.name == .appleAds, "cut after \(length) bytes")
            case 3...5: #expect(result.paywall?.name == .default, "cut after \(length) bytes")
            default: #expect(result.paywall?.name == .bundled, "cut after \(length) bytes")
            }
            #expect(result.elapsed <= .seconds(5), "cut after \(length) bytes")
            try expectNothingSpoiled(phone, "cut after \(length) bytes")
        }
    }

    @Test(
        "with foreign lines between its own gives the same result as without them",
        arguments: [
            Data(), Data(#"{"type":"weather","sun":true}"#.utf8), Data("null".utf8), Data("[]".utf8), Data("{}".utf8),
            Data(#"{"type":7}"#.utf8), Data(#"{"type":"profile"}"#.utf8), Data(#"{"type":"paywall","placement":{}}"#.utf8),
            Data(#"{"type":"attribution","attribution":[]}"#.utf8), Data(#"{"type":"end""#.utf8),
            Data([0xFF, 0xFE, 0x00, 0x80]),
            Data([0x22, 0xC3, 0x28, 0x22]), Data("\r".utf8), Data(repeating: 0x0A, count: 20_000),
            Data(String(repeating: "[", count: 5_000).utf8),
        ]
    )
    func strangersLines(line: Data) async throws {
        let phone = Phone()
        let body = ScriptedBody()
        for known in Self.lines { body.send(line + Data("\n".utf8) + (try Self.bytes([known]))) }
        phone.firstOpen { ScriptedAnswer(body: body) }

        let result = try await paywall(on: phone)

        #expect(result.paywall?.name == .appleAds)
        #expect(result.attribution == .appleAds)
        #expect(result.elapsed == .zero)
        try expectNothingSpoiled(phone, "\(line as NSData)")
    }

    @Test("with a line longer than the protocol's longest is still read")
    func longLine() async throws {
        let phone = Phone()
        let body = ScriptedBody()
        let long = Data(#"{"type":"weather","sun":""#.utf8) + Data(repeating: 0x78, count: 256 * 1024 + 1) + Data("\"}\n".utf8)
        body.send(try Self.bytes([FirstOpenLine].undecided) + long + Self.bytes([FirstOpenLine].becomesTargeted))
        phone.firstOpen { ScriptedAnswer(body: body) }

        #expect(try await paywall(on: phone).paywall?.name == .appleAds)
    }

    @Test("whose line never ends is abandoned: the lines before it count")
    func endlessLine() async throws {
        let phone = Phone()
        phone.firstOpen {
            let body = ScriptedBody()
            body.send(try Self.bytes([FirstOpenLine].undecided))
            for _ in 0..<9 { body.send(Data(repeating: 0x78, count: 64 * 1024)) }
            return ScriptedAnswer(body: body)
        }
        phone.plain { _ in throw TransportError(.connectionFailed) }

        let result = try await paywall(on: phone, after: 2, isTimeNeeded: true)

        #expect(result.paywall?.name == .default)
        #expect(phone.server.openExchanges == 0)
    }

    @Test("that blank lines keep alive long after its hold is replaced")
    func blankLines() async throws {
        let phone = Phone()
        let first = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        let second = ScriptedBody()
        phone.firstOpen { ScriptedAnswer(body: second) }

        for _ in 0..<5 {
            await phone.pass(.seconds(5))
            first.send(line: "")
        }
        await phone.pass(.seconds(4))
        #expect(phone.firstOpenRequests.count == 1)
        await phone.pass(.seconds(2))

        await second.waitForReader()
        await first.waitUntilAbandoned()
        #expect(phone.firstOpenRequests.count == 2)
        await client.shutdown()
    }

    @Test("that never ends does not delay a call beyond its deadline")
    func endlessStream() async throws {
        let phone = Phone()
        let body = ScriptedBody()
        phone.firstOpen { ScriptedAnswer(body: body) }
        body.send(try Self.bytes([FirstOpenLine].undecided))
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let calling = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        let more = try Self.bytes([.attribution(.pending), .unknown(type: "weather")])
        let talking = Task {
            while !Task.isCancelled {
                body.send(more)
                await Task.yield()
            }
        }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }

        phone.clock.advance(by: .seconds(5))

        let result = try await calling.value
        talking.cancel()
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .seconds(5))
        await client.shutdown()
    }

    /// The first paywall of a launch with a fallback file and a limit of five seconds.
    /// - Parameters:
    ///   - opens: how many first opens must be under way before the clock is moved. A stream that had received something and
    ///     broke is replaced at once: with the second one under way, all lines of the first have been read.
    ///   - isTimeNeeded: false if the paywall must come without moving time.
    private func paywall(on phone: Phone, after opens: Int = 1, isTimeNeeded: Bool = false) async throws -> PaywallResult {
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let calling = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        if isTimeNeeded {
            await phone.waitForFirstOpen(count: opens)
            while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
            // The clock stops at the deadline: a call that needed longer would never return.
            phone.clock.advance(by: .seconds(5))
        }
        let result = try await calling.value
        await client.shutdown()
        return result
    }

    /// The next launch can read everything that is stored, and the installation is the same.
    private func expectNothingSpoiled(_ phone: Phone, _ place: String) throws {
        for (name, data) in phone.storage.files where !name.rawValue.hasPrefix("outbox") {
            #expect(throws: Never.self, "\(name.rawValue), \(place)") { try JSONSerialization.jsonObject(with: data) }
            #expect(!name.rawValue.hasSuffix(".broken"), "\(place)")
        }
        let install = try #require(phone.storage.files[.install])
        #expect(String(decoding: install, as: UTF8.self).contains(#""id":"anna""#), "\(place)")
    }
}
