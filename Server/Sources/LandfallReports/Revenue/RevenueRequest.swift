// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// How money is laid out on days.
package enum RevenueView: String, CaseIterable, Hashable, Sendable, Codable {
    /// Everything on the day of the purchase: a refund takes away from the day that earned it.
    case purchase
    /// Each booking on the day when money moved.
    case booking
    /// What is running on each day.
    case subscriptions
    /// By the day of the first open: what these people have paid since.
    case cohorts
}

/// What revenue can be grouped by.
package enum RevenueDimension: String, ReportDimension {
    case day, source, channel, campaign, adGroup, keyword
    /// Host and path of the link that brought the install.
    case link
    /// Of the paywall that sold the first purchase of the chain.
    case placement, paywall, variation
    case product
    /// The storefront, as ISO 3166 code of three letters.
    case country
    /// That was paid in.
    case currency
}

/// What is asked about revenue.
package struct RevenueRequest: Hashable, Sendable {
    /// Of more days, the rows of cohorts are weeks that begin on Mondays.
    package static let mostCohortDays = 31

    package let view: RevenueView
    /// In the order of the caller; none gives one row for all.
    package let by: [RevenueDimension]
    /// In UTC.
    package let days: ReportDays
    /// Everything is computed again from what Apple signed, and compared.
    package var isVerified: Bool
    /// The views of charges find out whose money they count: see ``RevenueDocument/forEverybody()``.
    package var countsPayers = false
    /// Only what has these keys is counted. The day is none of them.
    package var filters: [RevenueDimension: String] = [:]

    /// - Parameter by: nil for the usual ones: by source; in the views ``RevenueView/subscriptions`` and ``RevenueView/cohorts`` by day.
    package init(_ view: RevenueView, by: [RevenueDimension]? = nil, _ days: ReportDays, isVerified: Bool = false) {
        self.view = view
        self.by = by ?? (view == .purchase || view == .booking ? [.source] : [.day])
        self.days = days
        self.isVerified = isVerified
    }

    var byDay: RevenueRequest {
        var request = RevenueRequest(view, by: [.day], days, isVerified: isVerified)
        (request.countsPayers, request.filters) = (countsPayers, filters)
        return request
    }

    /// What has to be known of a charge.
    var read: [RevenueDimension] { by + RevenueDimension.allCases.filter { filters[$0] != nil && !by.contains($0) } }

    /// The keys of a row, with those that every row has.
    func names(_ by: [RevenueDimension], _ key: ReportSheet.Key) -> [RevenueDimension: [UInt8]?] {
        Dictionary(zip(by, key)) { first, _ in first }.merging(filters.mapValues { Array($0.utf8) as [UInt8]? }) { $1 }
    }
}

extension RevenueView {
    /// What rows can be filtered by.
    package var filters: [RevenueDimension] {
        self == .cohorts ? RevenueOrigin.acquisition : RevenueDimension.allCases.filter { $0 != .day }
    }
}
