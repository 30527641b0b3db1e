// SPDX-License-Identifier: Apache-2.0

/// The columns of revenue: one table of names and definitions, which the report, the console and the docs share.
package enum RevenueColumn: String, CaseIterable, Hashable, Sendable, Codable {
    case purchases, grossMilliunits, refundsMilliunits, netMilliunits, proceedsEstimatedMilliunits, upgradeCreditEstimatedMilliunits
    case trialsStarted, trialsPaid, refunds
    case active, trials, mrrMilliunits, arrMilliunits, started, ended, churn
    case installs, payers, day7Milliunits, day30Milliunits, day90Milliunits, day365Milliunits, spendMilliunits, roas, coverage

    package enum Unit: String, Hashable, Sendable { case count, milliunits, ratio }

    package var unit: Unit {
        if [.churn, .roas, .coverage].contains(self) { return .ratio }
        return rawValue.hasSuffix("Milliunits") ? .milliunits : .count
    }

    package var definition: String {
        switch self {
        case .purchases: "Paid transactions of the App Store: first purchases, renewals and purchases of one time."
        case .grossMilliunits: "What customers paid, taxes included."
        case .refundsMilliunits: "What the App Store paid back."
        case .netMilliunits: "Gross without refunds."
        case .proceedsEstimatedMilliunits: "Net without the tax and the commission that the configuration names."
        case .upgradeCreditEstimatedMilliunits:
            "The unused part of periods that an upgrade ended. The App Store pays it back and does not say how much; net contains it."
        case .trialsStarted: "Free trials that began."
        case .trialsPaid: "Free trials after which the customer paid."
        case .refunds: "Transactions that the App Store paid back, whole or in part."
        case .active: "Paid subscriptions at the end of the day, with those in grace."
        case .trials: "Free trials at the end of the day."
        case .mrrMilliunits: "Monthly recurring revenue: the price of each active subscription, divided by the months of its period."
        case .arrMilliunits: "Twelve times the monthly recurring revenue."
        case .started: "Paid subscriptions that are active at the end of the day and were not the day before."
        case .ended: "Paid subscriptions that were active the day before and are not at the end of the day."
        case .churn: "Ended subscriptions, divided by those that were active the day before."
        case .installs: "First opens of these days."
        case .payers: "Of these installs, those that brought a purchase."
        case .day7Milliunits: "Net of purchases up to 7 days after the first open."
        case .day30Milliunits: "Net of purchases up to 30 days after the first open."
        case .day90Milliunits: "Net of purchases up to 90 days after the first open."
        case .day365Milliunits: "Net of purchases up to 365 days after the first open."
        case .spendMilliunits: "What Apple Ads cost on these days."
        case .roas: "Return on ad spend: estimated proceeds divided by the spend. Of cohorts, what their installs brought so far."
        case .coverage: "First opens that Apple Ads brought, divided by the installs that Apple counts for the same ads and days."
        }
    }

    /// In the order of the report.
    package static func list(_ view: RevenueView) -> [RevenueColumn] {
        switch view {
        case .purchase, .booking:
            [
                .purchases, .grossMilliunits, .refundsMilliunits, .netMilliunits, .proceedsEstimatedMilliunits,
                .upgradeCreditEstimatedMilliunits, .trialsStarted, .trialsPaid, .refunds, .spendMilliunits, .roas,
            ]
        case .subscriptions: [.active, .trials, .mrrMilliunits, .arrMilliunits, .started, .ended, .churn]
        case .cohorts:
            [.installs, .payers, .day7Milliunits, .day30Milliunits, .day90Milliunits, .day365Milliunits, .spendMilliunits, .roas, .coverage]
        }
    }
}
