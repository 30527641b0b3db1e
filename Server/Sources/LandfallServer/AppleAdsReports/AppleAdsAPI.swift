// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules

/// An ad account that the user of the API may read.
package struct AppleAdsAccount: Hashable, Sendable {
    package let id: Int64
    package let name: String
    /// As attributions name it.
    package let organisation: Int64?
    package let roles: [String]
}

/// The calls of the Apple Ads Platform API that Landfall makes. All of them only read.
struct AppleAdsAPI: Sendable {
    /// Of a list; Apple allows more for reports only.
    static let listPage = 1_000
    /// The most rows of a report's page: Apple's limit.
    static let reportPage = 5_000
    /// Of one list or report: more than any account has.
    static let mostPages = 2_000
    /// Whose product page is known: more than any account has.
    static let mostCreatives = 100_000

    let session: AppleAdsSession

    private struct Answer<Result: Decodable>: Decodable {
        let result: Result?
        let pagination: AppleAdsPagination?
    }

    // MARK: - Accounts

    private struct Access: Decodable {
        struct Account: Decodable {
            let id: Int64
            let name: String?
            let orgId: Int64?
        }
        let adAccount: Account
        let roles: [String]?
    }

    private struct AccessList: Decodable { let acls: AppleAdsList<Access> }

    /// - Throws: ``AppleAdsTrouble``; `CancellationError`. So do the calls below.
    func accounts() async throws -> [AppleAdsAccount] {
        let answer = try Self.decode(Answer<AccessList>.self, await session.ask("/acls"), of: "/acls")
        return (answer.result?.acls.elements ?? []).map { access in
            AppleAdsAccount(
                id: access.adAccount.id, name: (access.adAccount.name ?? "").storable(toBytes: AppleAdsEntity.longestName),
                organisation: access.adAccount.orgId, roles: (access.roles ?? []).prefix(20).map { $0.storable(toBytes: 64) })
        }
    }

    // MARK: - Names

    /// - Parameter page: gets the entities of each page, in order.
    func entities(
        _ kind: AppleAdsKind, in account: Int64, of campaign: Int64? = nil, areDeleted: Bool, page: ([AppleAdsEntity]) async throws -> Void
    ) async throws {
        try await list("/\(kind.path)/query", in: account) {
            AppleAdsQuery.entities(of: campaign, areDeleted: areDeleted, offset: $0, pageSize: Self.listPage)
        } page: { (answered: [AppleAdsAnswered]) in
            let entities = answered.compactMap { AppleAdsEntity($0, kind) }.map { entity in
                var entity = entity
                // The filter says it, even where Apple does not.
                if areDeleted { entity.isDeleted = true }
                return entity
            }
            if !entities.isEmpty { try await page(entities) }
        }
    }

    /// The custom product pages to which creatives lead, by the creative's id. Creatives of the usual page are left out.
    /// - Parameters:
    ///   - app: the App Store id of the app whose pages get their names; nil for all.
    ///   - deletedToo: also creatives that Apple hides.
    func productPages(in account: Int64, of app: Int64?, deletedToo: Bool) async throws -> [Int64: AppleAdsProductPage] {
        var pages: [Int64: String] = [:]
        for areDeleted in deletedToo ? [false, true] : [false] {
            try await list("/creatives/query", in: account) {
                AppleAdsQuery.entities(of: nil, areDeleted: areDeleted, offset: $0, pageSize: Self.listPage)
            } page: { (creatives: [AppleAdsCreative]) in
                for creative in creatives where pages.count < Self.mostCreatives { pages[creative.id] = creative.productPage }
            }
        }
        guard !pages.isEmpty else { return [:] }
        var names: [String: String] = [:]
        try await list("/product-pages/query", in: account) {
            AppleAdsQuery.productPages(of: app, offset: $0, pageSize: Self.listPage)
        } page: { (listed: [AppleAdsListedPage]) in
            for page in listed where names.count < Self.mostCreatives {
                names[page.id] = page.name?.storable(toBytes: AppleAdsEntity.longestName)
            }
        }
        return pages.mapValues { AppleAdsProductPage(ppid: $0, name: names[$0]) }
    }

    private func list<Element: Decodable>(
        _ path: String, in account: Int64, _ query: (_ offset: Int) -> AppleAdsQuery, page: ([Element]) async throws -> Void
    ) async throws {
        var offset = 0
        for _ in 0..<Self.mostPages {
            let body = try await session.ask(path, account: account, body: query(offset).body())
            let answer = try Self.decode(Answer<AppleAdsList<Element>>.self, body, of: path)
            let list = answer.result
            try await page(list?.elements ?? [])
            guard let count = list?.count, count > 0 else { return }
            offset += count
            if Self.isAtEnd(offset, answer.pagination, wasFull: count >= Self.listPage) { return }
        }
        throw AppleAdsTrouble(.unexpected, "Apple's list \(path) does not end.")
    }

    // MARK: - Spend

    private struct Rows: Decodable { let rows: [AppleAdsReportRow]? }

    /// - Parameters:
    ///   - days: since 1970, UTC; more than one, and none older than 90 days.
    ///   - page: gets the days of each page, in no order.
    func spend(
        _ kind: AppleAdsKind, in account: Int64, of campaign: Int64, on days: ClosedRange<Int>, page: ([AppleAdsDay]) async throws -> Void
    ) async throws {
        let path = "/reports/apps/\(kind.path)/query"
        let range = AppleAdsQuery.TimeRange(start: Instant.text(ofDay: days.lowerBound), end: Instant.text(ofDay: days.upperBound))
        // So that an answer stays far below the most bytes: a row has as many days as are asked for.
        let size = min(Self.reportPage, AppleAdsSession.largestAnswer / 2 / (1_536 + 160 * days.count))
        var offset = 0
        for _ in 0..<Self.mostPages {
            let body = try await session.ask(path, account: account, body: AppleAdsQuery.spend(of: campaign, range, offset: offset, pageSize: size).body())
            let answer = try Self.decode(Answer<Rows>.self, body, of: path)
            guard let result = answer.result else { throw AppleAdsTrouble(.unexpected, "Apple's report \(path) has no result.") }
            let rows = result.rows ?? []
            let found = try rows.flatMap { try $0.days() }.filter { days.contains($0.day) }
            if !found.isEmpty { try await page(found) }
            offset += rows.count
            if Self.isAtEnd(offset, answer.pagination, wasFull: rows.count >= size) { return }
            // As an end it would delete what the missing rows say.
            guard !rows.isEmpty else { throw AppleAdsTrouble(.unexpected, "Apple's report \(path) ends before its total.") }
        }
        throw AppleAdsTrouble(.unexpected, "Apple's report \(path) does not end.")
    }

    /// Apple may give less than a full page before the end, so its total counts where it tells one.
    private static func isAtEnd(_ offset: Int, _ pagination: AppleAdsPagination?, wasFull: Bool) -> Bool {
        pagination?.totalCount.map { offset >= $0 } ?? !wasFull
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8], of path: String) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
            throw AppleAdsTrouble(.unexpected, "Apple's answer for \(path) is not in the form that this release knows.")
        }
    }
}
