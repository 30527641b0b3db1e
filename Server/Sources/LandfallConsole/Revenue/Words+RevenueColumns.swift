// SPDX-License-Identifier: Apache-2.0
import LandfallReports

extension Words {
    func title(of column: RevenueColumn) -> String {
        switch column {
        case .purchases: translate("Purchases")
        case .grossMilliunits: translate("Gross")
        case .refundsMilliunits: translate("Paid back")
        case .netMilliunits: translate("Net")
        case .proceedsEstimatedMilliunits: translate("Proceeds (estimated)")
        case .upgradeCreditEstimatedMilliunits: translate("Upgrade credit (estimated)")
        case .trialsStarted: translate("Trials started")
        case .trialsPaid: translate("Trial → paid")
        case .refunds: translate("Refunds")
        case .active: translate("Active subscriptions")
        case .trials: translate("Trials")
        case .mrrMilliunits: translate("MRR")
        case .arrMilliunits: translate("ARR")
        case .started: translate("Began", context: "subscriptions")
        case .ended: translate("Ended", context: "subscriptions")
        case .churn: translate("Churn")
        case .installs: installs
        case .payers: translate("Payers")
        case .day7Milliunits: netOnDay(7)
        case .day30Milliunits: netOnDay(30)
        case .day90Milliunits: netOnDay(90)
        case .day365Milliunits: netOnDay(365)
        case .spendMilliunits: translate("Spend")
        case .roas: translate("ROAS")
        case .coverage: translate("Coverage")
        }
    }

    /// The definition of the report, in the language of the page.
    func definition(of column: RevenueColumn) -> String { language == .english ? column.definition : translated(column) }

    private func translated(_ column: RevenueColumn) -> String {
        switch column {
        case .purchases: translate("Paid transactions of the App Store: first purchases, renewals and purchases of one time.")
        case .grossMilliunits: translate("What customers paid, taxes included.")
        case .refundsMilliunits: translate("What the App Store paid back.")
        case .netMilliunits: translate("Gross without refunds.")
        case .proceedsEstimatedMilliunits: translate("Net without the tax and the commission that the configuration names.")
        case .upgradeCreditEstimatedMilliunits:
            translate("The unused part of periods that an upgrade ended. The App Store pays it back and does not say how much; net contains it.")
        case .trialsStarted: translate("Free trials that began.")
        case .trialsPaid: translate("Free trials after which the customer paid.")
        case .refunds: translate("Transactions that the App Store paid back, whole or in part.")
        case .active: translate("Paid subscriptions at the end of the day, with those in grace.")
        case .trials: translate("Free trials at the end of the day.")
        case .mrrMilliunits:
            translate("Monthly recurring revenue: the price of each active subscription, divided by the months of its period.")
        case .arrMilliunits: translate("Twelve times the monthly recurring revenue.")
        case .started: translate("Paid subscriptions that are active at the end of the day and were not the day before.")
        case .ended: translate("Paid subscriptions that were active the day before and are not at the end of the day.")
        case .churn: translate("Ended subscriptions, divided by those that were active the day before.")
        case .installs: translate("First opens of these days.")
        case .payers: translate("Of these installs, those that brought a purchase.")
        case .day7Milliunits: netUpTo(7)
        case .day30Milliunits: netUpTo(30)
        case .day90Milliunits: netUpTo(90)
        case .day365Milliunits: netUpTo(365)
        case .spendMilliunits: translate("What Apple Ads cost on these days.")
        case .roas: translate("Return on ad spend: estimated proceeds divided by the spend. Of cohorts, what their installs brought so far.")
        case .coverage: translate("First opens that Apple Ads brought, divided by the installs that Apple counts for the same ads and days.")
        }
    }

    private func netOnDay(_ days: Int) -> String { translate("Net, day \(days)") }
    private func netUpTo(_ days: Int) -> String { translate("Net of purchases up to \(days) days after the first open.") }
}
