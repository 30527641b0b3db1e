// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSimulator
import LandfallStore
import LandfallWire
import NIOCore
import NIOEmbedded
import Synchronization

/// Adds people to the days before today, so that reports have numbers. Their requests are answered by a node that uses the demo's
/// store and whose clock is set to each person's day.
struct EarlierPeople: Sendable {
    /// A report shows up to 90 days, and compares them with the 90 days before.
    static let days = 0...180
    private static let dayMs: Int64 = 86_400_000

    let days: Int
    let nowMs: Int64

    /// - Parameter appStore: signs what some of them buy.
    func arrive(in database: any Database, configuration yaml: String, buyingIn appStore: DemoAppStore) async throws {
        let clock = Wall(nowMs)
        let node = try await InProcessNode(
            try InProcessNode.Serving(yaml: yaml), database: database, channel: NIOAsyncTestingChannel(), clock: ContinuousClock(),
            nowMs: { clock.nowMs }, trust: appStore.trust(), askApple: Self.answer)
        let signer = JWSSigner(appStore.chain)
        try await withThrowingTaskGroup(of: Void.self) { background in
            background.addTask { await node.run() }
            var first = 0, buyers: [EarlierBuyer] = []
            for day in (0..<days).reversed() {
                let people = first..<first + Self.count(on: days - day)
                first = people.upperBound
                // In the middle of the day, whose beginning depends on the time zone of the reports.
                clock.set(nowMs - nowMs % Self.dayMs - Int64(day) * Self.dayMs - Self.dayMs / 2)
                let atMs = clock.nowMs
                buyers += try await withThrowingTaskGroup(of: EarlierBuyer?.self, returning: [EarlierBuyer].self) { arriving in
                    for number in people { arriving.addTask { try await Arrival(number: number).happen(on: node, atMs: atMs, signer) } }
                    return try await arriving.reduce(into: []) { buyers, buyer in if let buyer { buyers.append(buyer) } }
                }
            }
            // What the App Store has done with their purchases since.
            for buyer in buyers { try await buyer.report(.sync, upToMs: clock.nowMs) }
            background.cancelAll()
        }
    }

    /// A few more each week, and more on two days of it.
    static func count(on day: Int) -> Int { 14 + day / 5 + (day % 7 > 4 ? 7 : 0) + day * 5 % 4 }

    @Sendable private static func answer(to token: String) -> (status: Int, body: [UInt8]) {
        guard case .answer(let answer)? = SimulatedToken(token)?.reply(toAttempt: 0), let body = try? WireCoding.encode(answer) else {
            return (404, [])
        }
        return (200, Array(body))
    }

    /// A clock that goes on from the time to which it is set, so that a node's retry comes a second later.
    private final class Wall: Sendable {
        private let state: Mutex<(nowMs: Int64, since: ContinuousClock.Instant)>
        init(_ nowMs: Int64) { state = Mutex((nowMs, .now)) }
        var nowMs: Int64 { state.withLock { $0.nowMs + Int64($0.since.duration(to: .now) / .milliseconds(1)) } }
        func set(_ nowMs: Int64) { state.withLock { $0 = (nowMs, .now) } }
    }
}

/// What one person does: a first open, mostly a paywall, rarely a trial or a purchase. A third came from Apple Ads; a tenth reports another
/// provider.
private struct Arrival {
    let number: Int

    /// Between 0 and 1, spread evenly over people.
    private func part(_ step: Double) -> Double { (Double(number) * step).truncatingRemainder(dividingBy: 1) }

    private var isFromApple: Bool { part(0.618_034) < 0.33 }

    /// - Parameter atMs: now, in Unix milliseconds.
    /// - Returns: nil for who buys nothing.
    func happen(on node: InProcessNode, atMs: Int64, _ signer: JWSSigner) async throws -> EarlierBuyer? {
        let caller = EarlierPhone(node: node)
        if number.isMultiple(of: 3) { try await tap(on: node) }
        let campaign = [542_370_539, 542_370_539, 542_370_540][number % 3]
        let token = "sim.attribution=true&campaignId=\(campaign)&adGroupId=542317095&keywordId=87675432&id=\(UUID().uuidString)"
        try await caller.call(
            "/v1/first-open",
            [
                "device": ["platform": "ios", "appVersion": "2.1.0", "locale": .string(["en_US", "de_DE", "ja_JP", "fr_FR"][number % 4])],
                "adToken": isFromApple ? ["value": .string(token)] : ["none": "noToken"],
                // Waits until Apple's answer is stored, which takes milliseconds here.
                "placements": [["id": .string(DemoRun.placement.rawValue)]], "holdMilliseconds": isFromApple ? 20_000 : 0,
            ])
        if part(0.618_034) > 0.9 {
            try await caller.call(
                "/v1/attribution",
                [
                    "key": .string(UUID().uuidString), "source": "tenjin", "status": "non_organic",
                    "campaign": number.isMultiple(of: 2) ? "spring" : "creators",
                ])
        }
        guard part(0.754_878) < 0.9 else { return nil }
        let exposure = UUID().uuidString.lowercased()
        var events: [JSONValue] = [
            event("paywall_shown", id: exposure, [
                "placement": .string(DemoRun.placement.rawValue), "paywall": isFromApple ? "apple-ads" : "default", "origin": "matchingAudience",
                "elapsedMilliseconds": .integer(300 + Int64(part(0.569_840) * 900)),
            ])
        ]
        if part(0.324_718) < (isFromApple ? 0.12 : 0.05) { events.append(event("trial_started", ["value": 9.99])) }
        try await caller.call("/v1/events", ["events": .array(events)])
        guard part(0.445_042) < (isFromApple ? 0.2 : 0.08) else { return nil }
        let buyer = try EarlierBuyer(number, caller, exposure: exposure, signer, atMs: atMs)
        try await buyer.report(.purchase, upToMs: buyer.boughtAtMs)
        return buyer
    }

    private func event(_ type: String, id: String = UUID().uuidString.lowercased(), _ fields: [String: JSONValue]) -> JSONValue {
        .object(fields.merging(["id": .string(id), "type": .string(type), "ageMilliseconds": 0]) { $1 })
    }

    private func tap(on node: InProcessNode) async throws {
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
        try await node.respond(
            to: "GET", "/beach", headers: ["host": DemoLink.host, "User-Agent": safari, "Accept": "text/html"], body: nil,
            head: { _, _ in }, bytes: { _ in })
    }
}
