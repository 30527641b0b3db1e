// SPDX-License-Identifier: Apache-2.0

/// The names of columns and fields, and what columns count.
extension Words {
    /// A field of a key; its own name if it has no word.
    func field(_ name: String) -> String {
        switch name {
        case "day": day
        case "week": translate("Week from", context: "column of a report")
        case "source": translate("Source")
        case "channel": translate("Channel")
        case "campaign": campaign
        case "adGroup": translate("Ad group")
        case "adSet": translate("Ad set")
        case "creative": translate("Creative")
        case "keyword": translate("Keyword")
        case "country": translate("Country")
        case "platform": translate("Platform")
        case "link": link
        case "appVersion": translate("App version")
        case "host": translate("Domain")
        case "path": translate("Path")
        case "referrer": translate("Referrer")
        case "browser": translate("Browser")
        case "language": translate("Language")
        case "productPage": translate("Product page")
        case "placement": translate("Placement")
        case "paywall": translate("Paywall")
        case "variation": translate("Variation")
        case "audience": translate("Audience")
        case "origin": translate("Came from")
        case "by": splitBy
        case "days", "page": period
        case "sort": translate("Sorted by")
        case "compare": translate("Compare")
        case "deadline": deadlineField
        default: name
        }
    }

    /// A value of a key.
    func value(_ value: String?, of field: String) -> String {
        switch field {
        case "source": value ?? unknownSource
        case "origin": origin(value)
        case "day", "week": value.map { day($0) } ?? none
        case "platform": value == "ipad or mac" ? ipadOrMac : value ?? none
        default: value ?? none
        }
    }

    /// What a browser says that is either.
    var ipadOrMac: String { translate("iPad or Mac") }

    /// The title of a column. A metric keeps the name that the configuration gave it.
    func column(_ name: String) -> String {
        if let metric = Self.metric("converted.", name) { return translate("Converted: \(metric)") }
        if let day = Self.metric("day", name) { return onDay(day) }
        if let day = Self.metric("eligible.day", name) { return translate("Old enough for day \(day)") }
        if let day = Self.metric("rate.day", name) { return translate("Share, day \(day)") }
        if name == "rate.sentToStore" { return translate("Share sent to a store") }
        if name == "rate.shown" { return translate("Share shown") }
        if name == "rate.purchased" { return translate("Share purchased") }
        if let metric = Self.metric("rate.", name) { return translate("Rate: \(metric)") }
        if let metric = Self.metric("revenue.", name) { return translate("Revenue: \(metric)") }
        return switch name {
        case "firstOpens": firstOpens
        case "attributed": attributed
        case "unverified": translate("Unverified")
        case "organic": translate("Organic")
        case "unknown": translate("Source unknown")
        case "reinstalls": translate("Reinstalls")
        case "late": translate("Late")
        case "shown": shown
        case "purchased": translate("Purchased")
        case "exposures": translate("Exposures")
        case "elapsed.p50": translate("Time to paywall, p50")
        case "elapsed.p95": translate("Time to paywall, p95")
        case "clicks": clicks
        case "uniqueClicks": translate("Unique clicks")
        case "sentToStore": translate("Sent to a store")
        case "expiredClicks": translate("Expired")
        case "machineRequests": translate("Machines")
        case "appOpens": translate("App opened")
        case "size": installs
        case "unprovenAppOpens": translate("App opened, unproven")
        case "buttonTaps": translate("Button taps")
        default: name
        }
    }

    private static func metric(_ start: String, _ name: String) -> String? {
        name.hasPrefix(start) ? String(name.dropFirst(start.count)) : nil
    }

    /// In English as the report says it: the English of the code is only what translators see.
    func definition(of column: String, english: String) -> String {
        // A share is defined by the names of its columns, which are codes.
        language == .english && !column.hasPrefix("rate.") ? english : definition(of: column) ?? english
    }

    /// The same without a report; nil for a name that no column has.
    func definition(of name: String) -> String? {
        if let metric = Self.metric("converted.", name) {
            return translate("Installs that did this within the days of the metric \(metric).")
        }
        if name == "rate.sentToStore" { return translate("Sent to a store, in clicks.") }
        if name == "rate.shown" { return translate("Shown, in first opens.") }
        if name == "rate.purchased" { return translate("Purchased, in first opens.") }
        if let metric = Self.metric("rate.", name) {
            return translate("Converted: \(metric), in the installs of the row.")
        }
        if let metric = Self.metric("revenue.", name) {
            return translate("Payments within the days of the metric \(metric). This report does not count money; experiments and the report of revenue do.")
        }
        return switch name {
        case "firstOpens": translate("Installs that opened the app for the first time on these days. Reinstalls are not counted.")
        case "attributed": translate("First opens with a known source.")
        case "unverified": translate("Attributed installs whose source is only claimed: nobody has verified it.")
        case "organic": translate("First opens that no campaign brought, as a source says.")
        case "unknown": translate("First opens about which no source has said anything yet.")
        case "reinstalls": translate("Installs of these days on devices that had the app before. They are not first opens.")
        case "late": translate("Attributed installs that saw their first paywall before the source was known.")
        case "shown": translate("Installs that saw a paywall (of campaigns: within 14 days of the first open).")
        case "purchased":
            translate("First opens that have paid in the App Store since. Free trials alone, and purchases from before, do not count.")
        case "exposures": translate("How often a paywall was seen.")
        case "elapsed.p50":
            translate("Time from the app's question to the paywall: half of the exposures that reported it took no longer.")
        case "elapsed.p95": translate("The same for 95 of 100 exposures.")
        case "clicks": translate("Stored clicks of people in browsers, on links that led somewhere.")
        case "uniqueClicks": translate("The same, each visitor of one link on one day once.")
        case "sentToStore": translate("Of the clicks, those that led to a store. What the store showed is unknown.")
        case "expiredClicks": translate("Clicks of people on links that had expired.")
        case "machineRequests": translate("Requests of bots, previews, prefetches and HEAD.")
        case "appOpens":
            translate("Links that reached the app, told by installs that proved who they are, on the day when they told it.")
        case "unprovenAppOpens": translate("The same, told with the SDK key alone.")
        case "buttonTaps": translate("Buttons of links' pages that people tapped, each button of a page once.")
        default: nil
        }
    }
}
