// SPDX-License-Identifier: Apache-2.0

/// The measurements of a run: the figures of both sides, and the times for the picture.
package struct PhoneResults: Sendable {
    let records: [PhoneRecord]
    let deadline: Duration

    init(_ records: [PhoneRecord], deadline: Duration) {
        self.records = records
        self.deadline = deadline
    }

    /// Seconds from the start of the client to the paywall, ascending.
    var landfall: [Double] { Self.seconds(records.map(\.landfall.elapsed)) }
    /// Empty without comparison, as is the limit.
    var documented: [Double] { Self.seconds(records.compactMap(\.documented?.elapsed)) }
    var limit: [Double] { Self.seconds(records.compactMap(\.limit)) }
    /// Landfall's time minus the limit of the same phone, ascending.
    var behindLimit: [Double] {
        Self.seconds(records.compactMap { record in record.limit.map { record.landfall.elapsed - $0 } })
    }

    private var each: [PhoneReport.Phone] {
        func seconds(_ time: Duration) -> Double { time.inSeconds.rounded(to: 4) }
        return records.map { record in
            PhoneReport.Phone(
                number: record.phone.number, landfall: seconds(record.landfall.elapsed),
                documented: (record.documented?.elapsed).map(seconds), limit: record.limit.map(seconds))
        }
    }

    package func report(seed: UInt64, scenario: String) -> PhoneReport {
        var figures = figures { $0.landfall }
        let possible = records.filter(\.wasPossible)
        let right = possible.count { $0.landfall.isTargeted(for: $0.phone) }
        figures?.targetedOfPossible = possible.isEmpty ? 1 : (Double(right) / Double(possible.count)).rounded(to: 4)
        figures?.possible = possible.count
        let (documented, limit) = (self.figures { $0.documented }, Quantiles(limit))
        let ratio = documented.flatMap { documented in
            figures.flatMap { documented.p50 > 0 ? ($0.p50 / documented.p50).rounded(to: 3) : nil }
        }
        return PhoneReport(
            phones: records.count, seed: seed, scenario: scenario, deadlineSeconds: deadline.inSeconds,
            documented: documented, landfall: figures, limit: limit,
            behindLimit: Quantiles(behindLimit), each: each, ratioP50: ratio
        )
    }

    /// Each phone that was late, and each phone that showed a paywall that does not fit Apple's answer, although a perfect
    /// client would have had the answer in time: the faults of its network, and its requests.
    package var misses: [String] {
        records.filter { isMissed($0) || isLate($0.landfall) }.flatMap { record in
            let phone = record.phone
            let faults = (0..<6).map { "\(phone.network.plan(forConnection: $0).fault)" }.joined(separator: ", ")
            let answered = record.answeredAfter?.inSeconds.rounded(to: 3) ?? 0
            return [
                "phone \(phone.number) \(isMissed(record) ? "missed it" : "was late"): round trip \(phone.network.roundTrip), token after "
                    + "\(phone.tokenDelay.map { "\($0)" } ?? "never"), Apple \(phone.treatment) at \(answered) s; connections: \(faults)"
            ] + record.landfall.story.map { "  " + $0 }
        }
    }

    private func isMissed(_ record: PhoneRecord) -> Bool {
        record.wasPossible && !record.landfall.isTargeted(for: record.phone)
    }

    private func isLate(_ outcome: PhoneOutcome) -> Bool { outcome.elapsed > deadline + .milliseconds(50) }

    private func figures(_ side: (PhoneRecord) -> PhoneOutcome?) -> PhoneReport.Side? {
        let launches = records.compactMap { record in side(record).map { (phone: record.phone, outcome: $0) } }
        let times = Self.seconds(launches.map(\.outcome.elapsed))
        guard let quantiles = Quantiles(times), let slowest = times.last else { return nil }
        let appleAds = Quantiles(Self.seconds(launches.filter { !$0.phone.isOrganic }.map(\.outcome.elapsed)))
        let count = Double(launches.count)
        return PhoneReport.Side(
            targeted: (Double(launches.count { $0.outcome.isTargeted(for: $0.phone) }) / count).rounded(to: 4),
            p50: quantiles.p50, p90: quantiles.p90, p99: quantiles.p99, max: slowest.rounded(to: 3),
            appleAdsP50: appleAds?.p50,
            late: launches.count { isLate($0.outcome) },
            withoutPaywall: launches.count { $0.outcome.isAppleAds == nil },
            requestsPerOpen: (Double(launches.reduce(0) { $0 + $1.outcome.requests }) / count).rounded(to: 2)
        )
    }

    private static func seconds(_ times: [Duration]) -> [Double] { times.map(\.inSeconds).sorted() }
}

extension PhoneOutcome {
    /// The paywall fits Apple's answer, whenever that comes.
    fileprivate func isTargeted(for phone: DrawnPhone) -> Bool { isAppleAds == !phone.isOrganic }
}

extension Double {
    func rounded(to digits: Int) -> Double {
        let factor = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        return (self * factor).rounded() / factor
    }
}
