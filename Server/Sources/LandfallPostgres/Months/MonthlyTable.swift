// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// A large table whose rows are kept by month: a part for the ids of each month, and one for all other ids. New rows go into small
/// indexes, and an expired month goes at once.
///
/// The texts of the stores know nothing of it; this engine makes the table in parts when a migration makes it.
struct MonthlyTable {
    /// Each part's name begins with it.
    let name: String
    /// The ids, which begin with their time. It is in the key, as the engine asks for.
    let column: String

    static let all = [MonthlyTable(name: "event", column: "id"), MonthlyTable(name: "click", column: "click_id")]
    /// After the present one.
    static let monthsAhead = 2
    /// Others wait behind a change of the parts for about so long, at most.
    static let lockTimeout = Statement("SET LOCAL lock_timeout = '50ms'")

    /// Has the rows of all ids that no month's part has: a row is never refused.
    var rest: String { "\(name)_rest" }
    /// Two nodes do not change its parts at the same time.
    var lock: RowLock { RowLock(rest, [:]) }

    /// What makes a table, in place of a migration's text.
    static func making(_ statement: Statement) -> [Statement] {
        guard let table = all.first(where: { statement.text.hasPrefix("CREATE TABLE \($0.name) (") }) else { return [statement] }
        return [
            Statement("\(statement.text) PARTITION BY RANGE (\(table.column))"),
            Statement("CREATE TABLE \(table.rest) PARTITION OF \(table.name) DEFAULT"),
        ]
    }

    /// Empty if the table is missing or has no parts.
    func parts(_ connection: any ReadConnection) throws -> [MonthPart] { try connection.rows(partsText).map { try MonthPart($0) } }

    /// The months that have no part, from the present one on, by the database's clock.
    /// - Parameter fromMs: begin with the month of this time instead. Months before 2020 and after those ahead are never missing.
    func missing(_ connection: any ReadConnection, ahead: Int = monthsAhead, fromMs: Int64? = nil) throws -> [Month] {
        let parts = try parts(connection)
        guard !parts.isEmpty else { return [] }
        return try connection.rows(Self.monthsText, [.integer(fromMs), .integer(Int64(ahead)), .integer(Int64(Self.monthsAhead))])
            .map { try Month($0) }.filter { month in !parts.contains { $0.has(month.first) } }
    }

    /// Makes the part of a month. Rows that are in the rest already are moved into it.
    func make(_ month: Month, _ connection: any WriteConnection) throws {
        let part = "\(name)_\(month.label)"
        try connection.run(Self.lockTimeout)
        // Beside the table at first: a part that is made within it would keep everybody from the table.
        try connection.run("CREATE TABLE \(part) (LIKE \(name) INCLUDING ALL)")
        try connection.run("LOCK TABLE \(rest) IN ACCESS EXCLUSIVE MODE")
        try connection.run(
            """
            WITH moved AS (DELETE FROM \(rest) WHERE \(column) >= '\(month.first)' AND \(column) < '\(month.end)' RETURNING *)
            INSERT INTO \(part) SELECT * FROM moved
            """)
        try connection.run("ALTER TABLE \(name) ATTACH PARTITION \(part) FOR VALUES FROM ('\(month.first)') TO ('\(month.end)')")
    }

    // Names of our own schema, as everywhere here; SQL takes no bound value for them.
    private var partsText: String {
        """
        SELECT quote_ident(c.relname) AS name,
          substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']*)''\\)') AS first,
          substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']*)''\\)') AS after_last,
          CASE WHEN pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' THEN 1 ELSE 0 END AS is_rest
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass('\(name)') ORDER BY 2, 1
        """
    }

    private static let monthsText = """
        SELECT to_char(month, 'YYYY_MM') AS label, CAST(EXTRACT(EPOCH FROM month) * 1000 AS BIGINT) AS first_ms,
          CAST(EXTRACT(EPOCH FROM month + INTERVAL '1 month') * 1000 AS BIGINT) AS end_ms
        FROM (
            SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') AS present,
              date_trunc('month', COALESCE(to_timestamp(CAST($1 AS BIGINT) / 1000.0), clock_timestamp()) AT TIME ZONE 'UTC') AS start
          ) AS times
          CROSS JOIN LATERAL generate_series(start, start + make_interval(months => CAST($2 AS INTEGER)), INTERVAL '1 month') AS month
        WHERE month >= '2020-01-01' AND month <= present + make_interval(months => CAST($3 AS INTEGER)) ORDER BY month
        """
}

/// A month, in UTC.
struct Month: Hashable, Sendable {
    /// Such as `2026_11`.
    let label: String
    /// Not above any id of the month.
    let first: String
    /// Above every id of the month.
    let end: String

    init(_ row: Row) throws {
        label = try row.text("label")
        (first, end) = (UUIDv7.earliest(atMs: try row.integer("first_ms")), UUIDv7.earliest(atMs: try row.integer("end_ms")))
    }

    /// When an id was made, if it is one of the years in which this program is used.
    static func milliseconds(of id: String) -> Int64? {
        guard let stamp = id.prefixMatch(of: /([0-9a-f]{8})-([0-9a-f]{4})-/) else { return nil }
        return Int64(stamp.output.1 + stamp.output.2, radix: 16).flatMap { (1_577_836_800_000..<4_102_444_800_000).contains($0) ? $0 : nil }
    }
}

/// A part of a table, as the database has it. An operator may have made parts of other times.
struct MonthPart: Hashable, Sendable {
    let name: String
    /// Nil: from the lowest id on.
    let first: String?
    /// The lowest id that it does not have; nil: up to the highest.
    let end: String?
    let isRest: Bool

    init(_ row: Row) throws {
        name = try row.text("name")
        (first, end, isRest) = (row.optionalText("first"), row.optionalText("after_last"), try row.flag("is_rest"))
    }

    func has(_ id: String) -> Bool { !isRest && (first ?? "") <= id && end.map { id < $0 } ?? true }
}
