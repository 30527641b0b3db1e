// SPDX-License-Identifier: Apache-2.0

/// Which transactions a history is asked for.
struct HistoryQuery {
    var revision: String?
    var isDescending = false
    var isRevoked: Bool?
    private var start: Int64?
    private var end: Int64?
    private var products: [String] = []
    private var types: [String] = []
    private var groups: [String] = []
    private var ownership: String?

    init() {}

    /// - Throws: ``AppleError``
    init(_ items: some Sequence<(key: String, value: String)>) throws {
        for (key, value) in items {
            switch key {
            case "revision": revision = value
            case "sort":
                guard ["ASCENDING", "DESCENDING"].contains(value) else { throw AppleError.invalidSort }
                isDescending = value == "DESCENDING"
            case "revoked":
                guard ["true", "false"].contains(value) else { throw AppleError.invalidRevoked }
                isRevoked = value == "true"
            case "startDate":
                guard let number = Int64(value) else { throw AppleError.invalidStartDate }
                start = number
            case "endDate":
                guard let number = Int64(value) else { throw AppleError.invalidEndDate }
                end = number
            case "productId": products.append(value)
            case "productType":
                guard let type = Self.productTypes[value] else { throw AppleError.invalidProductType }
                types.append(type)
            case "subscriptionGroupIdentifier": groups.append(value)
            case "inAppOwnershipType":
                guard ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"].contains(value) else { throw AppleError.invalidOwnership }
                ownership = value
            default: continue
            }
        }
        if let start, let end, start > end { throw AppleError.startAfterEnd }
    }

    func wants(_ transaction: TransactionPayload) -> Bool {
        if let isRevoked, (transaction.revocationDate != nil) != isRevoked { return false }
        if let start, transaction.purchaseDate < start { return false }
        if let end, transaction.purchaseDate >= end { return false }
        if let ownership, transaction.inAppOwnershipType != ownership { return false }
        return (products.isEmpty || products.contains(transaction.productId)) && (types.isEmpty || types.contains(transaction.type))
            && (groups.isEmpty || groups.contains(transaction.subscriptionGroupIdentifier ?? ""))
    }

    private static let productTypes = [
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": "Non-Renewing Subscription", "CONSUMABLE": "Consumable",
        "NON_CONSUMABLE": "Non-Consumable",
    ]
}

/// Which notifications a history is asked for.
struct NotificationQuery: Decodable {
    private static let longest = 180 * SimulatedPeriod.day

    var startDate: Int64
    var endDate: Int64
    var notificationType: String?
    var notificationSubtype: String?
    var onlyFailures: Bool?
    var transactionId: String?

    func fault(at now: Int64) -> AppleError? {
        if startDate > endDate { return .startAfterEnd }
        if startDate < now - Self.longest { return .tooFarInPast }
        return transactionId != nil && notificationType != nil ? .multipleFilters : nil
    }

    /// A notification whose first try failed stays a failure, also when a later one succeeded.
    func wants(_ held: HeldLife, _ index: Int) -> Bool {
        let event = held.life.events[index]
        guard (startDate...endDate).contains(event.at) else { return false }
        if let notificationType, event.notice?.type != notificationType { return false }
        if let notificationSubtype, event.notice?.subtype != notificationSubtype { return false }
        if let transactionId, !held.transactionIDs.contains(transactionId) { return false }
        return onlyFailures != true || held.attempts[index]?.contains { !$0.isSuccess } == true
    }
}
