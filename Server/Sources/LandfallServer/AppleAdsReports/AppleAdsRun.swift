// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore

/// One read of everything: accounts, then names, then, once a day, spend. What was read stays if the run ends early.
struct AppleAdsRun: Sendable {
    /// Days of the first read, today included. Apple answers for 90.
    static let firstDays = 90
    /// Apple still corrects so many days.
    static let restatedDays = 30
    /// Ad accounts that are kept, read or not.
    static let mostListed = 1_000

    let api: AppleAdsAPI
    let store: AppleAdsReportStore
    let access: AppleAdsAccess
    /// The app's App Store id, if the file says it: only its campaigns cost the app money.
    let promoted: Int64?
    let nowMs: Int64
    let telemetry: AppleAdsReportsTelemetry

    private var today: Int { Int(nowMs / 86_400_000) }

    /// - Returns: what was wrong with an account, while the others were read.
    /// - Throws: ``AppleAdsTrouble`` if nothing can be read; errors of the store; `CancellationError`.
    func read() async throws -> AppleAdsTrouble? {
        let accounts = try await accounts()
        var trouble: AppleAdsTrouble?
        for account in accounts {
            do {
                try await read(account)
            } catch let error as AppleAdsTrouble {
                try await store.finished(account.account.id, error, readOn: nil, days: nil)
                // Of the user or of the way to Apple: the next account would only say the same.
                guard error.isOfOneQuestion else { throw error }
                trouble = trouble ?? error
            }
        }
        return trouble
    }

    private func accounts() async throws -> [StoredAdAccount] {
        let listed = try await api.accounts().prefix(Self.mostListed)
        guard !listed.isEmpty else { throw AppleAdsTrouble(.noAccount, "The user of the API may read no ad account.") }
        let wanted = Set(access.accounts ?? listed.map(\.id)).intersection(listed.map(\.id))
        try await store.keep(Array(listed), read: wanted)
        guard !wanted.isEmpty else {
            throw AppleAdsTrouble(.noAccount, "The user of the API may read none of the file's ad accounts, but \(listed.prefix(5).map { "\($0.id)" }.joined(separator: ", ")).")
        }
        return try await store.accounts().filter(\.isRead)
    }

    private func read(_ account: StoredAdAccount) async throws {
        let isDaily = account.readDay.map { $0 < today } ?? true
        var pages: [Int64: AppleAdsProductPage]?, trouble: AppleAdsTrouble?
        do {
            pages = try await api.productPages(in: account.account.id, of: promoted, deletedToo: isDaily)
        } catch let error as AppleAdsTrouble where error.isOfOneQuestion {
            // Names and spend are worth more: it is said at the end.
            trouble = error
        }
        try await names(of: account.account.id, pages: pages, deletedToo: isDaily)
        telemetry.read(.names)
        if isDaily {
            let days = Self.days(after: account.readDay, today: today)
            try await spend(of: account.account.id, on: days)
            try await store.finished(account.account.id, nil, readOn: today, days: days)
            telemetry.read(.spend)
        } else if account.trouble != nil, trouble == nil {
            try await store.finished(account.account.id, nil, readOn: nil, days: nil)
        }
        if let trouble { throw trouble }
    }

    /// The days whose spend is read: those that Apple may have corrected since the last read.
    static func days(after readDay: Int?, today: Int) -> ClosedRange<Int> {
        let count = readDay.map { min(firstDays, restatedDays + max(0, today - $0 - 1)) } ?? firstDays
        return today - count + 1...today
    }

    // MARK: - Names

    /// - Parameters:
    ///   - pages: by creative; nil if they could not be read.
    ///   - deletedToo: also what Apple hides. Names are kept before, so once a day is enough.
    private func names(of account: Int64, pages: [Int64: AppleAdsProductPage]?, deletedToo: Bool) async throws {
        for areDeleted in deletedToo ? [false, true] : [false] {
            for kind in [AppleAdsKind.campaign, .adGroup, .ad] {
                try await api.entities(kind, in: account, areDeleted: areDeleted) { entities in
                    try await store.keep(entities.map { $0.leading(to: pages) }, in: account, nowMs: nowMs)
                }
            }
            // Apple lists keywords by campaign only.
            for campaign in try await store.campaigns(of: account, promoting: promoted) where deletedToo || !campaign.isDeleted {
                try await api.entities(.keyword, in: account, of: campaign.id, areDeleted: areDeleted) {
                    try await store.keep($0, in: account, nowMs: nowMs)
                }
            }
        }
    }

    // MARK: - Spend

    private func spend(of account: Int64, on days: ClosedRange<Int>) async throws {
        for campaign in try await store.campaigns(of: account, promoting: promoted) {
            for kind in AppleAdsKind.allCases {
                try await api.spend(kind, in: account, of: campaign.id, on: days) { try await store.keep($0, kind, of: campaign.id, mark: nowMs) }
                // Apple may hide what a deleted campaign cost: then what is known stays.
                if !campaign.isDeleted { try await store.forget(kind, of: campaign.id, on: days, butNotReadAt: nowMs) }
            }
        }
    }
}
