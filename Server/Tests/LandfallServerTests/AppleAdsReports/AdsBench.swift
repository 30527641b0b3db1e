// SPDX-License-Identifier: Apache-2.0
import LandfallSimulator
import LandfallTesting
import LandfallWire
import Logging
import Synchronization

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// Time that goes on whenever the server waits, so that a read with all its waits is over at once. Limits pass only if a test says so.
final class AdsTime: Sendable {
    private struct State {
        var nowMs = TestStore.noon
        var waits: [Duration] = []
        var callsEnd = false
        var onWait: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let standing = ManualClock()

    var nowMs: Int64 { state.withLock(\.nowMs) }
    /// How long the server waited, in order, limits excluded.
    var waits: [Duration] { state.withLock(\.waits) }

    func advance(_ duration: Duration) { state.withLock { $0.nowMs += duration.wholeMilliseconds } }
    /// From now on the time limit of a call is over as soon as the call begins.
    func endCalls() { state.withLock { $0.callsEnd = true } }
    /// Called once, at the next wait.
    func atNextWait(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onWait = body } }

    var server: ServerTime {
        ServerTime(
            nowMs: { self.nowMs },
            sleep: { duration in
                let isLimit = duration == AppleAdsSession.callLimit || duration == AppleAdsReportsWork.limit
                if isLimit, duration != AppleAdsSession.callLimit || !self.state.withLock(\.callsEnd) {
                    return try await self.standing.sleep(until: self.standing.now.advanced(by: duration))
                }
                let hook = self.state.withLock { state -> (@Sendable () -> Void)? in
                    state.nowMs += duration.wholeMilliseconds
                    if !isLimit { state.waits.append(duration) }
                    defer { state.onWait = nil }
                    return state.onWait
                }
                hook?()
                try Task.checkCancellation()
            })
    }
}

/// A store, the simulated Apple Ads over real HTTP, and the work between them.
struct AdsBench: Sendable {
    let store: TestStore
    let platform: AppleAdsPlatform
    let time: AdsTime
    let live: LiveConfiguration
    let http: AdsHTTP
    let work: AppleAdsReportsWork
    let metrics: PrometheusRegistry
    let log: AdsLog

    /// The first campaign of the simulated account, with its first ad group, keyword and ad.
    static let campaign: Int64 = 542_370_539, adGroup: Int64 = 542_317_095, keyword: Int64 = 87_675_432, ad: Int64 = 542_317_136
    /// The one that is deleted from the beginning, for seed 1.
    static let deletedCampaign: Int64 = 600_100_004
    /// The ad of the first campaign's second ad group, which leads to the custom product page.
    static let summerAd: Int64 = 600_102_001, summerGroup: Int64 = 600_101_001

    static func access(_ platform: AppleAdsPlatform, keyID: String = AppleAdsPlatform.keyID, accounts: [Int64]? = nil) -> AppleAdsAccess {
        AppleAdsAccess(
            clientID: AppleAdsPlatform.clientID, teamID: AppleAdsPlatform.teamID, keyID: keyID, privateKey: .text(platform.keyText),
            accounts: accounts)
    }

    static func snapshot(_ access: AppleAdsAccess?, revision: Int64 = 1) -> Snapshot {
        var configuration = Configuration.sample()
        configuration.appleAds = access
        return Snapshot(configuration, revision: revision)
    }

    static func run(
        seed: UInt64 = 1, behaviour: AppleAdsPlatform.Behaviour = .init(), access: (@Sendable (AppleAdsPlatform) -> AppleAdsAccess)? = nil,
        _ body: @escaping @Sendable (AdsBench) async throws -> Void
    ) async throws {
        let time = AdsTime(), store = try await TestStore()
        let platform = AppleAdsPlatform(seed: seed, behaviour: behaviour, clock: { time.nowMs })
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        let simulator = AppleAdsSimulator(platform: platform, onListening: { report.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await simulator.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw CancellationError() }
            let live = LiveOutboundHTTP(), http = AdsHTTP(live), metrics = PrometheusRegistry(), log = AdsLog()
            let client = Task { try await live.run() }
            let configuration = LiveConfiguration(Self.snapshot(access?(platform) ?? Self.access(platform)))
            let work = AppleAdsReportsWork(
                store.database, configuration: configuration, addresses: try AppleAdsAddresses(base: "http://127.0.0.1:\(port)"), outbound: http,
                time: time.server, telemetry: AppleAdsReportsTelemetry(logger: Logger(label: "test") { _ in log.handler }, factory: metrics))
            let bench = AdsBench(
                store: store, platform: platform, time: time, live: configuration, http: http, work: work, metrics: metrics, log: log)
            let result = await Task { try await body(bench) }.result
            // The client first: a connection that comes while a cancelled simulator stops ends the process, in the framework.
            client.cancel()
            _ = await client.result
            group.cancelAll()
            try result.get()
        }
    }

    var app: AppID { live.snapshot.app.id }
    var names: AppleAdsNames { AppleAdsNames(store.database, app: app) }
    var spend: AppleAdsSpend { AppleAdsSpend(store.database, app: app) }
    var today: Int { Int(time.nowMs / 86_400_000) }

    func reading() async throws -> AppleAdsReading? { try await store.database.read { [app] in try AppleAdsReading(of: app, $0) } }

    func name(_ kind: AppleAdsKind, _ id: Int64) async throws -> String? {
        try await names.names(of: [AppleAdsNames.Key(kind, id)]).values.first
    }

    /// Of all campaigns.
    func milliunits(_ kind: AppleAdsKind, on days: ClosedRange<Int>) async throws -> Int64 {
        try await spend.rows(kind, on: days).reduce(0) { $0 + $1.milliunits }
    }

    func count(_ metric: String) -> Int {
        metrics.text().split(separator: "\n").first { $0.hasPrefix(metric + " ") }.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
    }

    func requests(_ path: String) -> Int { platform.asked.count { $0 == path } }
}

/// Real calls, but for reports that a test answers itself.
final class AdsHTTP: OutboundHTTP {
    private let live: LiveOutboundHTTP
    private let report = Mutex<String?>(nil)
    private let refused = Mutex<String?>(nil)

    init(_ live: LiveOutboundHTTP) { self.live = live }

    /// - Parameter body: of every report from now on; nil: Apple Ads answers again.
    func answerReports(_ body: String?) { report.withLock { $0 = body } }

    /// - Parameter path: from now on 403 is the answer to it; nil: Apple Ads answers again.
    func refuse(_ path: String?) { refused.withLock { $0 = path } }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        if let path = refused.withLock(\.self), call.url.hasSuffix(path) { return OutboundReply(status: 403, body: []) }
        if call.url.contains("/reports/"), let body = report.withLock(\.self) { return OutboundReply(status: 200, body: Array(body.utf8)) }
        return try await live.send(call)
    }
}

/// The levels of all lines that were logged.
final class AdsLog: Sendable {
    private let lines = Mutex<[Logger.Level]>([])
    var levels: [Logger.Level] { lines.withLock(\.self) }

    var handler: Handler { Handler(kept: self) }

    struct Handler: LogHandler {
        let kept: AdsLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { kept.lines.withLock { $0.append(event.level) } }
    }
}
