// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
package import LandfallStore
package import LandfallWire

/// An install with the values that reports use.
package struct ReportedInstall {
    let key: InstallKey
    package let id: InstallID
    /// If the app was used before it contained Landfall, its first open was then.
    let firstOpenAtMs: Int64
    /// By the server's clock.
    package let firstCallAtMs: Int64
    package let device: DeviceFacts
    /// On a reinstall, the first install of this phone.
    let firstInstall: InstallID?
    /// The app's version at the first open; nil if the phone did not say it.
    package let appVersion: String?
    /// The device had the app before. Stays true when the first install is forgotten.
    let isReinstall: Bool
    /// The source that brought the install; nil if no source is known.
    let origin: AttributionFact?
    /// A source says that no campaign brought the install.
    let isOrganic: Bool
}

/// Reads the installs of an app, a limited number at a time.
package struct InstallReader: Sendable {
    static let page = 1_000

    let database: any StoreReading
    let app: AppID
    var page = page

    /// - Parameters:
    ///   - openedMs: only installs whose first open is in this range.
    ///   - body: is called for each install, in no particular order.
    func forEach(openedMs: Range<Int64>, _ body: (ReportedInstall) throws -> Void) async throws {
        var after = ""
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [
                .text(app.rawValue), .text(after), .integer(openedMs.lowerBound), .integer(openedMs.upperBound), .integer(Int64(page)),
            ]
            let rows = try await database.read { try $0.rows(Self.text, values) }
            let installs = try Dictionary(grouping: rows) { try $0.text(Self.install[.install_id]) }
            for (id, rows) in installs { if let install = try ReportedInstall(id, rows) { try body(install) } }
            guard installs.count >= page, let last = installs.keys.max() else { return }
            after = last
        }
    }

    /// - Parameter ids: of installs; those that are not there are left out.
    func read(_ ids: ArraySlice<String>) async throws -> [ReportedInstall] {
        let rows = try await Array(ids).readInParts(of: ListedIDs.most) { [self] part in
            try await database.rows(Self.someText, of: Array(part), in: app)
        }
        return try Dictionary(grouping: rows) { try $0.text(Self.install[.install_id]) }.compactMap { try ReportedInstall($0, $1) }
    }

    /// An install is `i`, and each of its ``facts`` is `f`.
    package static let columns = selected.text
    package static let install = selected.install
    package static let fact = selected.fact
    private static let selected = {
        var list = SelectList()
        let install = list.add(ReportedInstall.Column.self, of: "i"), fact = list.add(AttributionFact.Column.self, of: "f")
        return (install: install, fact: fact, text: "SELECT \(list.text)")
    }()
    package static let facts = "LEFT JOIN attribution_fact f ON f.app_id = i.app_id AND f.install_id = i.install_id"

    /// One install, `$2`.
    static let oneText = columns + "\nFROM install i " + facts + "\nWHERE i.app_id = $1 AND i.install_id = $2"

    private static let someText = columns + "\nFROM install i " + facts + "\nWHERE i.app_id = $1 AND i.install_id IN (\(ListedIDs.places))"

    static let text = columns + "\n" + """
        FROM (
            SELECT app_id, \(ReportedInstall.Column.names())
            FROM install
            WHERE app_id = $1 AND install_id > $2
              AND CASE WHEN installed_at_ms < created_at_ms THEN installed_at_ms ELSE created_at_ms END >= $3
              AND CASE WHEN installed_at_ms < created_at_ms THEN installed_at_ms ELSE created_at_ms END < $4
            ORDER BY install_id LIMIT $5
          ) i

        """ + facts
}

extension ReportedInstall {
    /// What reports read of `install`.
    package enum Column: Int, TableColumn {
        case install_id, created_at_ms, installed_at_ms, platform, locale, store_country, first_install_id, is_reinstall, first_app_version
    }

    /// - Parameter rows: one for each fact; one row if there is no fact.
    package init?(_ id: String, _ rows: [Row]) throws {
        guard let row = rows.first, let key = InstallKey(InstallID(id)) else { return nil }
        self.key = key
        self.id = InstallID(id)
        let install = InstallReader.install
        firstCallAtMs = try row.integer(install[.created_at_ms])
        firstOpenAtMs = min(firstCallAtMs, try row.integer(install[.installed_at_ms]))
        var device = DeviceFacts()
        device.platform = row.optionalText(install[.platform])
        device.locale = row.optionalText(install[.locale])
        device.storeCountry = row.optionalText(install[.store_country])
        self.device = device
        firstInstall = row.optionalText(install[.first_install_id]).map { InstallID($0) }
        isReinstall = try row.flag(install[.is_reinstall])
        appVersion = row.optionalText(install[.first_app_version])
        let facts = try rows.compactMap { try AttributionFact($0, InstallReader.fact) }
        let winner = AttributionPrecedence.acquisition(facts, firstOpenAtMs: firstOpenAtMs).winner
        origin = winner?.status == .nonOrganic ? winner : nil
        isOrganic = winner?.status == .organic
    }
}

extension Array where Element: Sendable {
    /// Reads all parts of a list at the same time: in a large store nearly every install waits for the disk. The caller limits how
    /// long the list is.
    /// - Parameter size: elements of a part; at least 1.
    /// - Returns: what `read` returned, in any order.
    /// - Throws: the first error of `read`; the other parts are cancelled.
    func readInParts<Value: Sendable>(
        of size: Int, _ read: @escaping @Sendable (ArraySlice<Element>) async throws -> [Value]
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: [Value].self) { group in
            for start in stride(from: 0, to: count, by: size) { group.addTask { try await read(self[start...].prefix(size)) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// The ids that a statement lists behind the app: always as many, so that there is one text.
enum ListedIDs {
    static let most = 250
    static let places = Statement.places(2..<2 + most)
}

extension StoreReading {
    /// - Parameters:
    ///   - text: with ``ListedIDs/places``.
    ///   - ids: at most ``ListedIDs/most``.
    func rows(_ text: String, of ids: [String], in app: AppID) async throws -> [Row] {
        guard let first = ids.first else { return [] }
        try Task.checkCancellation()
        let padded = ids + Array(repeating: first, count: ListedIDs.most - ids.count)
        let values: [SQLValue] = [.text(app.rawValue)] + padded.map { .text($0) }
        return try await read { try $0.rows(text, values) }
    }
}
