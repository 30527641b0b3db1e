// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The sources of named units, each decided from all of its facts by what is known now.
struct UnitSources: Sendable {
    /// As many units as a statement asks for.
    static let most = 32
    /// Links whose fields are kept decoded.
    private static let mostLinks = 1_000

    let database: any StoreReading
    let app: AppID

    struct Source {
        /// The source that brought the unit; nil if none is known.
        var name: String?
        /// Apple has answered about it.
        var isAnswered = false
    }

    /// - Parameter units: their ids, as many as fit into memory. In order they are read fastest.
    /// - Returns: by the id; units without facts are missing.
    func sources(of units: [String]) async throws -> [String: Source] {
        var sources: [String: Source] = [:], links: [String: ClickedLink] = [:]
        for begin in stride(from: 0, to: units.count, by: Self.most) {
            let rows = try await self.rows(Self.factsText, of: units[begin...].prefix(Self.most))
            var place = 0
            while place < rows.count {
                let id = try rows[place].text(Self.fact[.install_id])
                var end = place + 1
                while end < rows.count, try rows[end].text(Self.fact[.install_id]) == id { end += 1 }
                sources[id] = try Self.source(rows[place..<end], &links)
                place = end
            }
        }
        return sources
    }

    /// What the results call the source of each unit; units without one are missing.
    func segments(of units: [String]) async throws -> [String: String] {
        let sources = try await sources(of: units)
        // Apple's answer would win over another source only if it names an ad: what counts now is the present source.
        let open = units.filter { sources[$0]?.name == nil && sources[$0]?.isAnswered != true }
        var segments = sources.compactMapValues(\.name)
        for begin in stride(from: 0, to: open.count, by: Self.most) {
            let rows = try await self.rows(Self.pendingText, of: open[begin...].prefix(Self.most))
            for row in rows { segments[try row.text(0)] = SourceReader.pending }
        }
        return segments
    }

    private func rows(_ text: String, of units: ArraySlice<String>) async throws -> [Row] {
        guard let first = units.first else { return [] }
        try Task.checkCancellation()
        let padded = units + Array(repeating: first, count: Self.most - units.count)
        let values: [SQLValue] = [.text(app.rawValue)] + padded.map { .text($0) }
        return try await database.read { try $0.rows(text, values) }
    }

    /// - Parameter rows: the facts of one unit.
    private static func source(_ rows: ArraySlice<Row>, _ links: inout [String: ClickedLink]) throws -> Source {
        // Without its install, no click of it counts.
        var facts: [AttributionFact] = [], firstOpenAtMs: Int64 = 0
        let columns = Self.fact, install = Self.install
        for row in rows {
            var fact = AttributionFact(
                id: try row.text(columns[.fact_id]), source: AttributionSource(try row.text(columns[.source])),
                status: AttributionClaim.Status(rawValue: try row.text(columns[.status])) ?? .unknown,
                saidAtMs: try row.integer(columns[.said_at_ms]), recordedAtMs: try row.integer(columns[.recorded_at_ms]))
            fact.verified = try row.flag(columns[.is_verified])
            fact.link = try row.optionalText(columns[.link]).map { try link($0, &links) }
            let opened = [row.optionalInteger(install[.created_at_ms]), row.optionalInteger(install[.installed_at_ms])]
            firstOpenAtMs = opened.compactMap { $0 }.min() ?? firstOpenAtMs
            facts.append(fact)
        }
        let winner = AttributionPrecedence.acquisition(facts, firstOpenAtMs: firstOpenAtMs).winner
        return Source(
            name: winner?.status == .nonOrganic ? winner?.source.rawValue : nil,
            isAnswered: facts.contains { $0.source == .appleAds })
    }

    /// Whether a click may have brought an install, by the rule for all clicks.
    /// - Parameters:
    ///   - text: what is stored of its link.
    ///   - days: the smallest window that it is inside of; nil if it came after the first open.
    static func counts(clickOf text: String?, days: Int64?) throws -> Bool {
        guard let days else { return false }
        var click = AttributionFact(id: "", source: .link, status: .nonOrganic, saidAtMs: 0, recordedAtMs: 0)
        click.link = try text.map { try WireCoding.decode(ClickedLink.self, from: Data($0.utf8)) }
        return AttributionPrecedence.acquisition([click], firstOpenAtMs: days * CountedExperiment.dayMs).winner != nil
    }

    /// Many clicks are of one link, and their texts are the same.
    private static func link(_ text: String, _ links: inout [String: ClickedLink]) throws -> ClickedLink {
        if let known = links[text] { return known }
        let link = try WireCoding.decode(ClickedLink.self, from: Data(text.utf8))
        if links.count >= mostLinks { links.removeAll() }
        links[text] = link
        return link
    }
}

extension UnitSources {
    private static let units = Statement.places(2..<2 + most)
    private enum FactColumn: Int, TableColumn { case install_id, fact_id, source, status, is_verified, said_at_ms, recorded_at_ms, link }
    private enum InstallColumn: Int, TableColumn { case created_at_ms, installed_at_ms }
    private static let fact = selected.fact, install = selected.install
    private static let selected = {
        var list = SelectList()
        let fact = list.add(FactColumn.self, of: "f"), install = list.add(InstallColumn.self, of: "i")
        return (fact: fact, install: install, text: list.text)
    }()
    static let factsText = """
        SELECT \(selected.text)
        FROM attribution_fact f
          LEFT JOIN install i ON f.source = 'link' AND i.app_id = $1 AND i.install_id = f.install_id
        WHERE f.app_id = $1 AND f.install_id IN (\(units))
        ORDER BY f.install_id
        """
    static let pendingText = """
        SELECT install_id FROM job
        WHERE app_id = $1 AND kind = 'apple_ads' AND install_id IN (\(units))
        """
}
