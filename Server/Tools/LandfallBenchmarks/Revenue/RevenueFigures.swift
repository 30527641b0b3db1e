// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallRules
import LandfallSQLite
import LandfallServer
import LandfallStore

struct RevenueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revenue", abstract: "What do figures of revenue take? JSON, for Benchmarks/run --only revenue.")

    @Option(help: "Purchases of a year.") var charges = 1_000_000
    @Option(help: "Purchases whose originals are verified.") var originals = 30_000
    @Option(help: "Measured times of each figure; the first one, which warms up, is not among them.") var rounds = 5

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-revenue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let figures = RevenueFigures(charges: charges, originals: originals, rounds: rounds)
        let found = try await figures.reports(folder.appending(path: "charges.sqlite").path)
            + [try await figures.verification(folder.appending(path: "originals.sqlite").path)]
        print(String(decoding: try JSONEncoder().encode(found), as: UTF8.self))
    }
}

/// Each figure in turn with SQLite's own sum over the rows of the same days.
private struct RevenueFigures {
    struct Figure: Encodable {
        let name: String
        /// Milliseconds of each round.
        let ours: [Double]
        /// The same of the sum alone; empty if there is nothing to compare with.
        let theirs: [Double]
        let rows: Int
    }

    private struct Wrong: Error, CustomStringConvertible { let description: String }

    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    private static let configuration = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_demo }]
        paywalls: { default: {} }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        purchases:
          currency: USD
          rates:
            2020-01-01: { EUR: "1.0850", GBP: "1.2710", JPY: "0.0067", CHF: "1.1320", SEK: "0.0951", PLN: "0.2510", BRL: "0.1760" }
            \(Instant.text(ofDay: Int(nowMs / 86_400_000 - 90))): { EUR: "1.0910", GBP: "1.2840", JPY: "0.0066" }
          tax: { DEU: "0.19", FRA: "0.20", GBR: "0.20", SWE: "0.25", POL: "0.23" }
          commission: [{ from: 2020-01-01, usual: "0.30", afterYear: "0.15" }]
        """

    let charges: Int
    let originals: Int
    let rounds: Int

    private func snapshot() throws -> Snapshot {
        Snapshot(try Configuration(yaml: Self.configuration, file: "landfall.yaml", environment: { _ in nil }), revision: 1)
    }

    func reports(_ path: String) async throws -> [Figure] {
        let made = try await MadeStore(path: path, nowMs: Self.nowMs), today = Self.nowMs / 86_400_000
        try await ChargedYear(firstDay: today - ChargedYear.days, purchases: charges).store(in: made)
        let snapshot = try snapshot(), time = ServerTime(nowMs: { Self.nowMs }, sleep: { try await Task.sleep(for: $0) })
        let reports = Reports(
            store: ReportStore(made.database), time: time,
            rollups: RollupWork(database: made.database, configuration: LiveConfiguration(snapshot), time: time))
        let year = today - ChargedYear.days...today - 1, month = today - 30...today - 1
        let asked: [(String, RevenueView, [RevenueDimension]?, ClosedRange<Int64>)] = [
            ("a year by source", .purchase, [.source], year), ("a month by source", .purchase, [.source], month),
            ("a year by day", .purchase, [.day], year), ("a year by campaign and country", .purchase, [.campaign, .country], year),
            ("subscriptions of a year", .subscriptions, nil, year), ("subscriptions of a month", .subscriptions, nil, month),
            ("cohorts of a month", .cohorts, nil, month),
        ]
        // The same report before any day is counted: what a marked day costs.
        var figures = [try await figure("a month by source, from rows", .purchase, [.source], month, reports, snapshot, made.database)]
        let update = ChargeDayUpdate(database: made.database, app: snapshot.app.id)
        try await update.mark(year.lowerBound...today + 3, nowMs: Self.nowMs)
        let counting = try await milliseconds { while try await update.step() {} }
        figures.append(Figure(name: "a year counted", ours: [counting], theirs: [], rows: Int(ChargedYear.days)))
        for (name, view, by, days) in asked {
            figures.append(try await figure(name, view, by, days, reports, snapshot, made.database))
        }
        try await made.database.close()
        return figures
    }

    private func figure(
        _ name: String, _ view: RevenueView, _ by: [RevenueDimension]?, _ days: ClosedRange<Int64>, _ reports: Reports, _ snapshot: Snapshot,
        _ database: any Database
    ) async throws -> Figure {
        let request = RevenueRequest(view, by: by, try ReportDays(days.lowerBound, days.upperBound, in: .utc))
        var ours: [Double] = [], theirs: [Double] = [], rows = 0
        for round in 0...rounds {
            let sum = try await milliseconds { try await self.sum(days, database) }
            let answer = try await milliseconds {
                rows = try await reports.answer(request, snapshot).rows.count
                guard rows > 0 else { throw Wrong(description: "\(name) has no rows.") }
            }
            guard round > 0 else { continue }
            ours.append(answer)
            theirs.append(sum)
        }
        return Figure(name: name, ours: ours, theirs: theirs, rows: rows)
    }

    func verification(_ path: String) async throws -> Figure {
        let made = try await MadeStore(path: path, nowMs: Self.nowMs), snapshot = try snapshot()
        let purchases = ProvenPurchases(chains: max(1, originals / ProvenPurchases.ofChain), nowMs: Self.nowMs)
        let trust = try await purchases.store(in: made.database, of: snapshot.app)
        var ours: [Double] = [], count: Int64 = 0
        for _ in 0..<rounds {
            ours.append(
                try await milliseconds {
                    let reader = OriginalsReader(made.database, of: snapshot.app, trust: trust, rules: PurchaseRules(), nowMs: Self.nowMs)
                    let found = try await RevenueVerification(reader).walk { _ in }
                    count = found.originals
                    guard found.differences.isEmpty else { throw Wrong(description: found.differences[0]) }
                })
        }
        guard count == Int64(purchases.chains * ProvenPurchases.ofChain) else { throw Wrong(description: "\(count) originals were verified.") }
        try await made.database.close()
        return Figure(name: "verified", ours: ours, theirs: [], rows: Int(count))
    }

    private func sum(_ days: ClosedRange<Int64>, _ database: any Database) async throws {
        _ = try await database.read { connection in
            try connection.rows(Self.sumText, [.integer(days.lowerBound), .integer(days.upperBound)])
        }
    }

    private static let sumText = """
        SELECT currency, SUM(milliunits) FROM charge WHERE app_id = 'example' AND purchase_day >= $1 AND purchase_day <= $2 GROUP BY currency
        """

    private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        let begun = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - begun) / .milliseconds(1)
    }
}
