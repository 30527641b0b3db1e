// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallServer

/// A charge with everything that revenue says of it. Of people who were erased, equal charges are one value.
struct RevenueCharge: Hashable, Sendable {
    /// Since 1970, UTC: where the view lays it out.
    var day: Int64
    var terms: Pricing.Terms
    var product: String
    /// The first purchase after a free trial.
    var followsTrial: Bool
    /// A refund of a transaction of which another refund is counted already.
    var isRefundedBefore = false
    var origin = RevenueOrigin.unknown
    /// Who paid; nil if nobody asked. Erased people are nobody.
    var payers: Set<Int>?
    /// Its person was erased since.
    var isErased = false
    /// How many charges it stands for; above zero.
    var count: Int64 = 1

    /// The key of the charge in rows that are grouped by the dimension.
    subscript(_ dimension: RevenueDimension) -> [UInt8] {
        switch dimension {
        case .day: Array(ReportDays.text(day).utf8)
        case .product: Array(product.utf8)
        case .country: Self.text(terms.storefront)
        case .currency: Self.text(terms.currency)
        case .source, .channel, .campaign, .adGroup, .keyword, .link, .placement, .paywall, .variation: origin[dimension]
        }
    }

    private static func text(_ code: String?) -> [UInt8] {
        if let code, !code.isEmpty { Array(code.utf8) } else { RevenueOrigin.unknownText }
    }
}

/// Keys that a charge must have to be counted.
struct RevenueFilter: Hashable, Sendable {
    /// Of what was paid.
    private let ofCharge: [RevenueDimension: [UInt8]]
    private let ofOrigin: [RevenueDimension: [UInt8]]

    init(_ filters: [RevenueDimension: String]) {
        let keys = filters.mapValues { Array($0.utf8) }, origin = Set(RevenueOrigin.acquisition + RevenueOrigin.sale)
        (ofCharge, ofOrigin) = (keys.filter { !origin.contains($0.key) }, keys.filter { origin.contains($0.key) })
    }

    func has(_ charge: RevenueCharge) -> Bool { hasPaid(charge) && has(charge.origin) }

    /// Wherever it comes from.
    func hasPaid(_ charge: RevenueCharge) -> Bool { ofCharge.allSatisfy { charge[$0.key] == $0.value } }

    func has(_ origin: RevenueOrigin) -> Bool { ofOrigin.allSatisfy { origin[$0.key] == $0.value } }
}

/// What all charges of a chain have in common: who brought it, and what sold it.
struct RevenueOrigin: Hashable, Sendable {
    static let acquisition: [RevenueDimension] = [.source, .channel, .campaign, .adGroup, .keyword, .link]
    static let sale: [RevenueDimension] = [.placement, .paywall, .variation]

    static let unknown = RevenueOrigin()
    static let unknownText = Array(RevenueDocument.unknown.utf8)

    /// As bytes, as the databases compare them. What is not known is missing.
    private var texts: [RevenueDimension: [UInt8]] = [:]
    /// Who owns the chain, as a number of this process; nil if nobody asked.
    var payer: Int?

    subscript(_ dimension: RevenueDimension) -> [UInt8] { texts[dimension] ?? Self.unknownText }

    /// Nil if it is not known.
    func text(_ dimension: RevenueDimension) -> [UInt8]? { texts[dimension] }

    mutating func set(_ dimension: RevenueDimension, _ text: String?) { set(dimension, text.map { Array($0.utf8) }) }

    mutating func set(_ dimension: RevenueDimension, _ text: [UInt8]?) { texts[dimension] = text }

    /// - Parameters:
    ///   - origin: of the install by which its first owner brought the chain.
    ///   - beganAtMs: the first purchase of the chain, in Unix milliseconds.
    mutating func setBrought(by origin: ChainOrigin, beganAtMs: Int64?) {
        let isBefore = origin.isLater(than: beganAtMs)
        let texts = [origin.source, origin.channel, origin.campaign, origin.adGroup, origin.keyword, origin.link]
        for (dimension, text) in zip(Self.acquisition, texts) { set(dimension, isBefore ? RevenueDocument.before : text) }
    }

    mutating func setSold(by sale: SoldBy) {
        for (dimension, text) in zip(Self.sale, [sale.placement, sale.paywall, sale.variation]) { set(dimension, text) }
    }
}
