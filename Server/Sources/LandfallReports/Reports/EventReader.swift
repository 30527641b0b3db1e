// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads stored events in the order of their receipt, a limited number at a time.
struct EventReader: Sendable {
    static let page = 10_000
    /// The type of exposures, and one type for each metric.
    static let mostTypes = Metric.most + 1

    let database: any StoreReading
    let app: AppID
    var page = page

    struct Found {
        let type: Event.Kind
        let install: InstallKey
        let occurredAtMs: Int64
        /// `placement, paywall, variation_id, audience, origin`.
        let texts: [String?]
    }

    /// - Parameters:
    ///   - types: at most ``mostTypes``.
    ///   - receivedMs: the time of receipt, by the server's clock.
    func forEach(of types: [Event.Kind], receivedMs: Range<Int64>, _ body: (Found) throws -> Void) async throws {
        guard let first = types.first, types.count <= Self.mostTypes else { return }
        let padded = types + Array(repeating: first, count: Self.mostTypes - types.count)
        var from = UUIDv7.earliest(atMs: receivedMs.lowerBound)
        let end = UUIDv7.earliest(atMs: receivedMs.upperBound)
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [.text(app.rawValue), .text(from), .text(end), .integer(Int64(page))] + padded.map { .text($0.rawValue) }
            let rows = try await database.read { try $0.rows(Self.text, values) }
            for row in rows {
                guard let install = InstallKey(InstallID(try row.text(1))) else { continue }
                try body(
                    Found(
                        type: Event.Kind(try row.text(2)), install: install, occurredAtMs: try row.integer(3),
                        texts: (4...8).map { row.optionalText($0) }))
            }
            guard rows.count >= page, let last = try rows.last?.text(0) else { return }
            from = last
        }
    }

    /// An id begins with the time of receipt, so the primary key is the index.
    static let text = """
        SELECT id, install_id, type, occurred_at_ms, placement, paywall, variation_id, audience, origin
        FROM event WHERE app_id = $1 AND id > $2 AND id < $3
          AND type IN (\(Statement.places(5..<5 + mostTypes)))
        ORDER BY id LIMIT $4
        """
}
