// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// What an entity cost and brought on one day in one country.
struct AppleAdsDay: Hashable, Sendable {
    let id: Int64
    /// Since 1970, UTC.
    let day: Int
    /// Two letters; empty if Apple names none.
    let country: String
    /// Three letters: the ad account's.
    let currency: String
    let milliunits: Int64
    let impressions, taps, installs: Int64
}

/// A day of a row, as Apple says it.
struct AppleAdsMetrics: Decodable {
    /// What is asked for.
    static let fields = ["localSpend", "impressions", "taps", "totalInstalls"]

    let date: String?
    let localSpend: AppleAdsMoney?
    let impressions, taps, totalInstalls: Int64?
}

/// A row of a report: an entity in one country, with its days.
struct AppleAdsReportRow: Decodable {
    let metadata: AppleAdsAnswered?
    let granularMetrics: [AppleAdsMetrics]?

    /// Days on which anything happened.
    /// - Throws: ``AppleAdsTrouble`` if the row cannot be understood: a sum without some of its rows would be wrong.
    func days() throws -> [AppleAdsDay] {
        guard let metadata, let id = metadata.id else { throw AppleAdsTrouble(.unexpected, "A row of Apple's report names no entity.") }
        let country = (metadata.countryOrRegion ?? "").uppercased()
        guard [0, 2].contains(country.utf8.count), country.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw AppleAdsTrouble(.unexpected, "Apple's report has a country that is not two letters.")
        }
        return try (granularMetrics ?? []).compactMap { metrics in
            guard let date = metrics.date, let day = Instant.day(String(date.prefix(10))) else {
                throw AppleAdsTrouble(.unexpected, "A row of Apple's report has no day.")
            }
            let counts = [metrics.impressions, metrics.taps, metrics.totalInstalls].map { $0 ?? 0 }
            guard counts.contains(where: { $0 != 0 }) || (metrics.localSpend?.milliunits ?? 0) != 0 else { return nil }
            guard let spend = metrics.localSpend else { throw AppleAdsTrouble(.unexpected, "A day of Apple's report has no localSpend.") }
            return AppleAdsDay(
                id: id, day: day, country: country, currency: spend.currency, milliunits: spend.milliunits, impressions: counts[0],
                taps: counts[1], installs: counts[2])
        }
    }
}
