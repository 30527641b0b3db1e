// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension DeviceFacts {
    /// What is known after the phone has spoken: a field that it left out keeps its value, and so does the device id once set.
    func updated(with news: DeviceFacts) -> DeviceFacts {
        var facts = self
        facts.appVersion = Self.cut(news.appVersion) ?? appVersion
        facts.osVersion = Self.cut(news.osVersion) ?? osVersion
        facts.platform = Self.cut(news.platform) ?? platform
        facts.locale = Self.cut(news.locale) ?? locale
        facts.storeCountry = Self.cut(news.storeCountry) ?? storeCountry
        facts.timeZone = Self.cut(news.timeZone) ?? timeZone
        facts.deviceId = deviceId ?? Self.cut(news.deviceId)
        return facts
    }

    /// Long ones are cut, not refused: a strange device still gets its paywall.
    private static func cut(_ text: String?) -> String? { text.map { $0.cut(toBytes: Limits.deviceText) } }
}

extension Install {
    /// Two phones' clocks never agree to the second: an earlier instant counts only from a minute on.
    private static let installTimeTolerance: Int64 = 60_000
    private static let longestInstallAge: Int64 = 20 * 366 * 86_400_000

    /// The earlier of what is known and what the phone says.
    func installedAtMs(saying ageMilliseconds: Int64?, nowMs: Int64) -> Int64 {
        guard let age = ageMilliseconds else { return installedAtMs }
        let said = nowMs - min(max(0, age), Self.longestInstallAge)
        return said < installedAtMs - Self.installTimeTolerance ? said : installedAtMs
    }
}

extension InstallChange {
    /// Stores what the phone says of itself, and that it was here.
    func describe(_ install: Install, _ news: DeviceFacts) throws {
        let facts = install.device.updated(with: news)
        try endAbsence(of: install)
        try connection.run(
            """
            UPDATE install SET app_version = $3, os_version = $4, platform = $5, locale = $6, store_country = $7,
              time_zone = $8, device_id = $9, installed_at_ms = $10, last_seen_at_ms = $11
            WHERE app_id = $1 AND install_id = $2
            """,
            [
                .text(app.rawValue), .text(id.rawValue), .text(facts.appVersion), .text(facts.osVersion), .text(facts.platform),
                .text(facts.locale), .text(facts.storeCountry), .text(facts.timeZone), .text(facts.deviceId),
                .integer(install.installedAtMs(saying: news.installedAgeMilliseconds, nowMs: nowMs)), .integer(nowMs),
            ]
        )
        if install.device.deviceId == nil, let device = facts.deviceId { try linkReinstall(device) }
    }

    /// The first install that names a device owns it; each later one is a reinstall.
    private func linkReinstall(_ device: String) throws {
        try connection.run(
            """
            INSERT INTO device (app_id, device_id, first_install_id, created_at_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            [.text(app.rawValue), .text(device), .text(id.rawValue), .integer(nowMs)]
        )
        let row = try connection.row(
            "SELECT first_install_id FROM device WHERE app_id = $1 AND device_id = $2", [.text(app.rawValue), .text(device)]
        )
        guard let first = try row?.text("first_install_id"), first != id.rawValue else { return }
        try connection.run(
            "UPDATE install SET is_reinstall = 1, first_install_id = $3 WHERE app_id = $1 AND install_id = $2",
            [.text(app.rawValue), .text(id.rawValue), .text(first)]
        )
    }
}
