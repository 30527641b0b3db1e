// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import Testing

@testable import LandfallServer

@Suite("Numbers of visitors", .timeLimit(.minutes(1)))
struct VisitorNumberTests {
    private static let dayMs: Int64 = 86_400_000
    private static let noonMs = 20_000 * dayMs + dayMs / 2

    private func numbers(_ store: TestStore) -> VisitorNumbers {
        VisitorNumbers(store.database)
    }

    private func number(
        _ numbers: VisitorNumbers, link: String = "/a", _ address: String = "192.0.2.7", _ agent: String = "Safari",
        nowMs: Int64 = noonMs
    ) async throws -> Int64 {
        try await numbers.prepare(nowMs: nowMs)
        return try #require(
            numbers.number(link: link, address: ClientAddress(address), userAgent: agent, nowMs: nowMs))
    }

    @Test("distinguish visitors of one link on one day, the same on every node")
    func same() async throws {
        let store = try await TestStore()
        let (one, other) = (numbers(store), numbers(store))
        let first = try await number(one)

        #expect(try await number(other) == first)
        #expect(try await number(one, "192.0.2.250") == first)
        #expect(try await number(one, "192.0.3.7") != first)
        #expect(try await number(one, "192.0.2.7", "Firefox") != first)
        #expect(try await number(one, link: "/b") != first)
        #expect(try await number(one, nowMs: Self.noonMs + Self.dayMs) != first)
    }

    @Test("need the day's key")
    func unprepared() async throws {
        let numbers = numbers(try await TestStore())
        _ = try await number(numbers)

        let tomorrowMs = Self.noonMs + Self.dayMs
        #expect(numbers.isPrepared(nowMs: Self.noonMs))
        #expect(!numbers.isPrepared(nowMs: tomorrowMs))
        #expect(numbers.number(link: "/a", address: nil, userAgent: nil, nowMs: tomorrowMs) == nil)
    }

    @Test("depend only on a prefix of the address")
    func prefix() throws {
        #expect(try #require(ClientAddress("192.0.2.7")).network == [192, 0, 2])
        #expect(try #require(ClientAddress("2001:db8:1:2::1")).network == [0x20, 0x01, 0x0D, 0xB8, 0, 1])
    }

    @Test("lose their key after the day, in the store and in memory")
    func forgotten() async throws {
        let store = try await TestStore()
        let numbers = numbers(store)
        let first = try await number(numbers)

        try await numbers.forget(before: Self.noonMs / Self.dayMs)
        #expect(try await number(numbers) == first)
        try await numbers.forget(before: Self.noonMs / Self.dayMs + 1)

        #expect(try await store.count(of: "visitor_key") == 0)
        #expect(try await number(numbers) != first)
    }

    @Test("lose yesterday's key with the first visit of a day")
    func next() async throws {
        let store = try await TestStore()
        _ = try await number(numbers(store))

        _ = try await number(numbers(store), nowMs: Self.noonMs + Self.dayMs)

        #expect(try await store.count(of: "visitor_key") == 1)
    }

    @Test("lose yesterday's key when a node starts, even without a visit")
    func start() async throws {
        let store = try await TestStore()
        _ = try await number(numbers(store), nowMs: Self.noonMs - Self.dayMs)

        _ = try await RetentionRule.visitorKeys(numbers(store)).lot(Self.noonMs)

        #expect(try await store.count(of: "visitor_key") == 0)
    }
}
