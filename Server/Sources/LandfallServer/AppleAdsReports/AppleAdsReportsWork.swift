// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

extension JobKind {
    /// Reads names and spend of Apple Ads.
    package static let appleAdsReports = JobKind(rawValue: "apple_ads_reports")
}

/// Reads names each hour and spend each day, on one node at a time. Nothing waits for it: who needs a name or a sum reads the store.
package struct AppleAdsReportsWork: Sendable {
    /// How long a new section of the file may go unnoticed.
    static let lookMs: Int64 = 60_000
    /// Of a whole read, with all its waits. After it the next read begins anew.
    static let limit: Duration = .seconds(6_600)

    private let database: any Database
    private let configuration: LiveConfiguration
    private let addresses: AppleAdsAddresses
    private let outbound: any OutboundHTTP
    private let time: ServerTime
    private let telemetry: AppleAdsReportsTelemetry

    package init(
        _ database: any Database, configuration: LiveConfiguration, addresses: AppleAdsAddresses, outbound: any OutboundHTTP, time: ServerTime,
        telemetry: AppleAdsReportsTelemetry
    ) {
        (self.database, self.configuration, self.addresses) = (database, configuration, addresses)
        (self.outbound, self.time, self.telemetry) = (outbound, time, telemetry)
    }

    package func work(of app: AppID) -> JobWork {
        // Longer than the limit, so that no second node begins meanwhile. A node that stops or dies gives its leases back.
        JobWork(kind: .appleAdsReports, leaseMs: 7_200_000, standing: [JobName(app: app, kind: .appleAdsReports, key: "reports")]) { _ in
            try await look()
            return .again(atMs: time.nowMs() + Self.lookMs)
        }
    }

    /// Reads if it is time.
    /// - Throws: errors of the store; `CancellationError`. What Apple does wrong is stored.
    func look() async throws {
        let snapshot = configuration.snapshot, app = snapshot.app.id
        guard let access = snapshot.configuration.appleAds else { return }
        let before = try await database.read { try AppleAdsReading(of: app, $0) }, fingerprint = access.fingerprint
        let known = before.flatMap { $0.access == fingerprint ? $0 : nil }
        if let known, time.nowMs() < known.nextAtMs, known.nextAtMs <= time.nowMs() + AppleAdsReading.pauseMs { return }

        var reading = known ?? AppleAdsReading(access: fingerprint, nextAtMs: 0)
        let nowMs = time.nowMs()
        let run = AppleAdsRun(
            api: AppleAdsAPI(session: AppleAdsSession(access, addresses, outbound, time: time)), store: AppleAdsReportStore(database, app: app),
            access: access, promoted: snapshot.app.appStoreID, nowMs: nowMs, telemetry: telemetry)
        var trouble: AppleAdsTrouble?
        do {
            let ended: AppleAdsTrouble?? = try await withTimeout(Self.limit, by: time) { try await run.read() }
            trouble = ended ?? AppleAdsTrouble(.unreachable, "Apple's answers took more than \(Self.limit.components.seconds / 60) minutes.")
        } catch let error as AppleAdsTrouble {
            trouble = error
        }
        if let trouble { reading.failed(trouble, nowMs: time.nowMs()) } else { reading.worked(nowMs: time.nowMs()) }
        let writing = reading.writing(app)
        try await database.write(.bulk, locking: []) { _ = try $0.run(writing) }
        telemetry.ended(reading, before: known)
    }
}
