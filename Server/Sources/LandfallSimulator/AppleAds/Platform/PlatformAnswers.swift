// SPDX-License-Identifier: Apache-2.0

/// The bodies of the answers, in Apple's form.
struct PlatformAnswer<Result: Encodable>: Encodable {
    let result: Result
    var pagination: PlatformPagination?
}

struct PlatformPagination: Encodable {
    let offset, pageSize: Int
    var totalCount: Int?
}

struct PlatformError: Encodable {
    struct Fault: Encodable { let code, message: String }
    let error: Fault

    init(_ code: String, _ message: String) { error = Fault(code: code, message: message) }
}

struct PlatformAccess: Encodable {
    struct Account: Encodable {
        let id: Int64
        let name: String
        let orgId: Int64
    }
    struct Entry: Encodable {
        let adAccount: Account
        let roles: [String]
    }
    let acls: [Entry]
}

struct PlatformEntity: Encodable {
    let id, adAccountId: Int64
    var campaignId, adGroupId, creativeId: Int64?
    var name, text, matchType, promotedObjectType, promotedObjectId, countryOrRegion: String?
    let status: String
    let deleted: Bool

    /// - Parameters:
    ///   - promoted: the App Store id of the campaigns' app; nil: Apple's field stays away.
    ///   - country: of a row of a report.
    init(_ entity: SimulatedAdAccount.Entity, promoted: String?, country: String? = nil) {
        id = entity.id
        adAccountId = SimulatedAdAccount.id
        deleted = entity.isDeleted
        status = entity.isDeleted ? "DELETED" : "ENABLED"
        matchType = entity.matchType
        countryOrRegion = country
        if entity.kind != .campaigns { campaignId = entity.campaign }
        if entity.kind == .keywords || entity.kind == .ads { adGroupId = entity.adGroup }
        creativeId = entity.creative
        if entity.kind == .keywords { text = entity.name } else { name = entity.name }
        if entity.kind == .campaigns, let promoted { (promotedObjectType, promotedObjectId) = ("APPSTORE_APP", promoted) }
    }
}

struct PlatformCreative: Encodable {
    struct Parameters: Encodable {
        var adamId: String?
        var productPageId: String?
    }
    struct Destination: Encodable {
        let destinationType = "APP_STORE_PRODUCT_PAGE"
        let parameters: Parameters
    }

    let id: Int64
    let adAccountId = SimulatedAdAccount.id
    let name, creativeType: String
    let systemStatus = "VALID"
    let destination: Destination
    let deleted: Bool

    init(_ creative: SimulatedAdAccount.Creative, promoted: String?) {
        (id, name, deleted) = (creative.id, creative.name, creative.isDeleted)
        creativeType = creative.page == nil ? "DEFAULT_PRODUCT_PAGE" : "CUSTOM_PRODUCT_PAGE"
        destination = Destination(parameters: Parameters(adamId: promoted, productPageId: creative.page))
    }
}

struct PlatformProductPage: Encodable {
    let id = SimulatedAdAccount.pageID
    let name = SimulatedAdAccount.pageName
    let state = "PUBLISHED"
    var adamId: Int64?
}

struct PlatformMoney: Encodable {
    let amount, currency: String

    init(cents: Int64) {
        amount = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
        currency = SimulatedAdAccount.currency
    }
}

struct PlatformMetrics: Encodable {
    var date: String?
    let localSpend: PlatformMoney
    let impressions, taps, totalInstalls: Int64

    init(_ spend: SimulatedSpend, date: String? = nil) {
        self.date = date
        localSpend = PlatformMoney(cents: spend.cents)
        (impressions, taps, totalInstalls) = (spend.impressions, spend.taps, spend.installs)
    }
}

struct PlatformReport: Encodable {
    struct Row: Encodable {
        let metadata: PlatformEntity
        let totalMetrics: PlatformMetrics
        let granularMetrics: [PlatformMetrics]
    }
    let rows: [Row]
}
