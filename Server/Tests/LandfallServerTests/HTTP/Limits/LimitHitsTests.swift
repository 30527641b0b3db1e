// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Foundation
import HTTPTypes
import LandfallWire
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("Every refusal and every hit of a bound", .timeLimit(.minutes(1)))
struct LimitHitsTests {
    @Test("is counted each time, and logged once a minute with the number")
    func minute() {
        let scene = Scene()

        for nowMs: Int64 in [0, 1, 59_999, 60_000, 60_001, 200_000] {
            scene.nowMs = nowMs
            scene.limitHits.hit(.held)
        }

        #expect(scene.metric(#"landfall_limit_hit_total{limit="held"}"#) == 6)
        #expect(scene.lines == ["warning held 1", "warning held 3", "warning held 2"])
    }

    @Test("is logged separately: one does not suppress another's line")
    func separate() {
        let scene = Scene()
        for _ in 0..<3 {
            scene.limitHits.hit(.held)
            scene.limitHits.refused(.invalidKey)
            scene.limitHits.refused(.notHTTP)
        }

        #expect(scene.lines == ["warning held 1", "notice invalid_key 1", "notice malformed_request 1"])
        #expect(scene.metric(#"landfall_refused_total{reason="invalid_key"}"#) == 3)
    }

    @Test("is logged after the clock was set back as well")
    func setBack() {
        let scene = Scene()
        scene.nowMs = 1_000_000
        scene.limitHits.hit(.disk)
        scene.nowMs = 0

        scene.limitHits.hit(.disk)

        #expect(scene.lines == ["warning disk 1", "warning disk 1"])
    }

    @Test("with a bound counts as both; a call that is merely wrong counts as neither")
    func both() {
        let scene = Scene()

        scene.limitHits.refused(RequestError(.rateLimited, "Later.", limit: .codesByAddress))
        for error in [RequestError.notFound, .invalid("a", "b"), RequestError(any: Broken())] { scene.limitHits.refused(error) }

        #expect(scene.metric(#"landfall_limit_hit_total{limit="codes_by_address"}"#) == 1)
        #expect(scene.metric(#"landfall_refused_total{reason="rate_limited"}"#) == 1)
        #expect(scene.lines.count == 2)
    }

    @Test("has a series from the start, and a full sentence")
    func series() {
        let scene = Scene()

        for limit in Limit.allCases {
            #expect(scene.metric(#"landfall_limit_hit_total{limit="\#(limit.rawValue)"}"#) == 0)
            #expect(limit.sentence.hasSuffix("."))
        }
    }

    @Test("is counted in whichever layer refuses the request: key, body and a stopping node")
    func wired() async throws {
        try await TestServer.run { server in
            _ = try await server.send(.get, "/v1/profiles/me", key: "pk_wrong")
            _ = try await server.send(.post, "/v1/events", String(repeating: "x", count: 2_000_000))
            server.services.holds.stop()
            _ = try await server.send(.get, "/readyz")

            let text = server.services.metrics.text()
            for reason in ["invalid_key", "body_too_large", "busy"] {
                #expect(text.contains(#"landfall_refused_total{reason="\#(reason)"} 1"#), "\(reason)")
            }
        }
    }

    @Test(
        "The queues for the store's writer and for its readers are counted separately",
        arguments: [(.busy, .writer), (.tooManyReads, .readers)] as [(DatabaseError, Limit)])
    func linesBeforeStore(error: DatabaseError, limit: Limit) {
        let refused = RequestError(any: error)

        #expect(refused.code == .busy && refused.limit == limit && refused.retryAfter == 1)
    }

    @Test("has its line on the page 'Under attack'", arguments: Limit.allCases)
    func page(limit: Limit) throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../../docs/operating/under-attack.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)

        #expect(text.contains("\n| `\(limit.rawValue)` | "))
    }

    private struct Broken: Error {}
}

/// Bounds whose time the test moves and whose lines it reads.
private final class Scene: Sendable {
    private let log = HeardLines()
    private let registry = PrometheusRegistry()
    let limitHits: LimitHits

    init() {
        let moved = MovedTime()
        let log = log
        time = moved
        limitHits = LimitHits(
            factory: registry, nowMs: { moved.nowMs.withLock { $0 } }, logger: Logger(label: "test") { _ in Lines(heard: log) })
    }

    private let time: MovedTime
    var nowMs: Int64 {
        get { time.nowMs.withLock { $0 } }
        set { time.nowMs.withLock { $0 = newValue } }
    }

    /// Level, label and how often.
    var lines: [String] { log.lines.withLock { $0 } }

    func metric(_ series: String) -> Int? {
        registry.text().split(separator: "\n").first { $0.hasPrefix(series + " ") }.flatMap { Int($0.split(separator: " ")[1]) }
    }
}

private final class MovedTime: Sendable {
    let nowMs = Mutex<Int64>(0)
}

private final class HeardLines: Sendable {
    let lines = Mutex<[String]>([])
}

private struct Lines: LogHandler {
    let heard: HeardLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = event.metadata ?? [:]
        let subject = values["limit"] ?? values["refusal.reason"] ?? ""
        let times = values["limit.times"] ?? values["refusal.times"] ?? ""
        heard.lines.withLock { $0.append("\(event.level) \(subject) \(times)") }
    }
}

extension LimitHits {
    /// For tests that are not about bounds.
    static var silent: LimitHits {
        LimitHits(factory: PrometheusRegistry(), nowMs: { 0 }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}
