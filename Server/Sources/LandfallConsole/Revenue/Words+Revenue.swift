// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// Around the figures of revenue.
extension Words {
    var revenue: String { translate("Revenue") }
    var revenueViews: String { translate("Views of revenue") }
    var daysInUTC: String { translate("Days in UTC") }

    func name(of view: RevenueView) -> String {
        switch view {
        case .purchase: translate("Purchases")
        case .booking: translate("Bookings")
        case .subscriptions: translate("Subscriptions")
        case .cohorts: translate("Cohorts")
        }
    }

    func meaning(of view: RevenueView) -> String {
        switch view {
        case .purchase: translate("Everything on the day of the purchase: a refund takes away from the day that earned it.")
        case .booking: translate("Each payment and each refund on the day when money moved.")
        case .subscriptions: translate("What runs at the end of each day, with the subscriptions in grace.")
        case .cohorts: translate("What the first opens of each day have paid since.")
        }
    }

    /// A field of a key.
    func revenueField(_ name: String) -> String {
        switch name {
        case "product": translate("Product")
        case "currency": translate("Currency")
        default: field(name)
        }
    }

    func revenueFields(_ fields: [RevenueDimension]) -> String { list(fields.map { revenueField($0.rawValue) }) }

    func byRevenue(_ fields: [RevenueDimension]) -> String {
        fields.isEmpty ? everything : translate("By \(revenueFields(fields))")
    }

    /// A value of a key.
    func revenueValue(_ value: String, of field: String) -> String {
        switch value {
        case RevenueDocument.unknown: unknownSource
        case RevenueDocument.before: translate("Before the first open")
        case _ where field == "day": day(value)
        default: value
        }
    }

    /// A dash for what cannot be known, and for money without a currency.
    func value(_ values: RevenueValues, _ column: RevenueColumn, _ currency: String?) -> String {
        switch column.unit {
        case .count: values.numbers[column].map { language.count($0) } ?? "–"
        case .milliunits: values.numbers[column].flatMap { number in currency.map { language.money(number, $0) } } ?? "–"
        case .ratio: values.ratios[column].map { language.share($0) } ?? "–"
        }
    }

    var estimatedProceeds: String {
        translate("Proceeds and upgrade credits are estimated: the App Store does not say what tax, commission and credit one purchase has. The configuration names tax and commission.")
    }

    /// Money in a currency that no rate converts; the currency alone for readers who may not see the amounts.
    func amounts(_ unconverted: RevenueDocument.Unconverted) -> String {
        guard let gross = unconverted.grossMilliunits else { return unconverted.currency }
        let paid = language.money(gross, unconverted.currency)
        guard let refunds = unconverted.refundsMilliunits, refunds != 0 else { return paid }
        let back = language.money(refunds, unconverted.currency)
        return translate("\(paid) (of it paid back: \(back))")
    }
    func unconverted(_ amounts: String) -> String {
        translate("In no number here, because no rate converts it: \(amounts). Add rates under purchases in the configuration.")
    }
    func noCurrency(_ amounts: String) -> String {
        translate("Nothing is converted, because the configuration names no currency: \(amounts). Write purchases.currency and rates.")
    }
    func erasedRevenue(_ money: String) -> String { translate("Of the net, from people who were erased since: \(money).") }

    var tooManyRows: String { translate("The report has too many rows. Choose fewer fields or days.") }
    var nothingConverted: String { translate("No row has an amount that can be shown.") }
    var mergedPayers: String {
        translate("Money of fewer than 5 payers is together in “Other”. Where that is not possible there are no numbers, nor in some rows beside.")
    }
    var filesMergePayers: String {
        translate("In files, groups of fewer than 5 payers are together in “other”, and days of fewer have no numbers.")
    }

    func noRevenue(_ view: RevenueView) -> String {
        switch view {
        case .purchase, .booking: translate("No purchase and no trial of these days is known.")
        case .subscriptions: translate("No subscription ran on these days, as far as is known.")
        case .cohorts: translate("No app was opened for the first time on these days.")
        }
    }

    /// What makes numbers come, each with an example.
    var revenueSteps: [(text: String, example: String)] {
        [
            (
                translate("Write this address into App Store Connect, as the URL of App Store Server Notifications (version 2):"),
                "https://YOUR-SERVER/v1/app-store/notifications"
            ),
            (
                translate("Name the products in the configuration, with what each one opens:"),
                "products: { com.example.app.yearly: { access: [premium] } }"
            ),
            (translate("Let the app report its purchases; it reports earlier ones too:"), "landfall.observePurchases()"),
        ]
    }
    var sandboxIsNoRevenue: String { translate("Purchases of the sandbox and of Xcode are never revenue.") }
}
