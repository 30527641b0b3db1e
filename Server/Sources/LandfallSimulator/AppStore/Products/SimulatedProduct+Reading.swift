// SPDX-License-Identifier: Apache-2.0

extension SimulatedProduct {
    /// - Parameter name: the product's id, where it does not order the life itself.
    /// - Throws: a sentence for an id of another form, an unknown key, a value out of range, or keys that contradict each other.
    package init(_ id: String, named name: String? = nil) throws(SimulatedProductError) {
        self.id = name ?? id
        var query = try ProductQuery(id)
        _ = query.text("id")  // Only makes the product another one.
        kind = try query.word("type", Kind.self) ?? kind
        environment = try query.word("environment", Environment.self) ?? environment
        quantity = try query.count("quantity", 1...10) ?? quantity
        isFamilyShared = try query.flag("family") ?? isFamilyShared
        hasPrice = try query.flag("priced") ?? hasPrice
        isShuffled = try query.flag("shuffle") ?? isShuffled
        repeats = try query.count("repeat", 0...10) ?? repeats
        try readRefund(&query)
        try readPeriods(&query)
        try readFailures(&query)
        try readChanges(&query)
        try readSeats(&query)
        revoke = try query.period("revoke")
        try query.finish()
        try checkTogether()
    }

    private mutating func readPeriods(_ query: inout ProductQuery) throws(SimulatedProductError) {
        period = try query.period("period") ?? period
        commitment = try query.count("commitment", 2...36)
        let trial = try query.period("trial")
        let intro = try query.period("intro")
        let named = try query.word("offer", OfferName.self)
        let price = try query.number("offerPrice", 0...1_000_000_000)
        let periods = try query.count("offerPeriods", 1...36)
        guard [trial != nil, intro != nil, named != nil].count(where: { $0 }) <= 1 else {
            throw .init(description: "'trial', 'intro' and 'offer' exclude each other: a first period has one offer. Leave one of them.")
        }
        if let trial { offer = Offer(kind: .introductory, period: trial, isFree: true) }
        if let intro { offer = Offer(kind: .introductory, period: intro, periods: periods ?? 1, price: price) }
        if let named { offer = Offer(kind: named.kind, period: period, periods: periods ?? 1, price: price) }
        guard intro != nil || named != nil || (price == nil && periods == nil) else {
            throw .init(description: "'offerPrice' and 'offerPeriods' belong to 'intro' or 'offer'. Add one of them.")
        }
    }

    private mutating func readFailures(_ query: inout ProductQuery) throws(SimulatedProductError) {
        failing = try query.count("fail", 1...1_000)
        grace = try query.period("grace")
        hasGraceDate = try query.flag("graceDate") ?? hasGraceDate
        withdrawnFromSale = try query.count("withdrawn", 1...1_000)
        let wanted = max(failing ?? 0, withdrawnFromSale ?? 0)
        renewals = try query.count("renewals", 0...1_000) ?? max(renewals, wanted)
        guard renewals >= wanted else {
            throw .init(description: "'renewals' is \(renewals), but 'fail' or 'withdrawn' is about renewal \(wanted). Raise it, or leave it out.")
        }
        if let text = query.text("recover") {
            guard text != "never" else { return recovery = .never }
            guard let period = SimulatedPeriod(text), period.milliseconds < 60 * SimulatedPeriod.day else {
                throw query.bad("recover", text, "'never', or a length below 60 days such as 5d")
            }
            recovery = .after(period)
        }
    }

    private mutating func readChanges(_ query: inout ProductQuery) throws(SimulatedProductError) {
        cancel = try query.period("cancel")
        resume = try query.period("resume")
        resubscribe = try query.period("resubscribe")
        upgrade = try query.period("upgrade")
        downgrade = try query.period("downgrade")
        keep = try query.period("keep")
        otherProduct = query.text("to")
        otherPrice = try query.number("toPrice", 0...1_000_000_000)
        redeem = try query.period("redeem")
        increase = try query.period("increase")
        increasedPrice = try query.number("increaseTo", 0...1_000_000_000)
        accept = try query.period("accept")
        extend = try query.period("extend")
        extendBy = try query.period("extendBy") ?? extendBy
    }

    private mutating func readRefund(_ query: inout ProductQuery) throws(SimulatedProductError) {
        consumption = try query.period("consumption")
        declined = try query.period("declined")
        refund = try query.period("refund")
        refundForm = try query.word("refundForm", RefundForm.self) ?? refundForm
        refundShare = try query.number("refundShare", 1...100_000)
        reversed = try query.period("reversed")
    }

    private mutating func readSeats(_ query: inout ProductQuery) throws(SimulatedProductError) {
        seats = try query.count("seats", 2...1_000)
        addSeats = try query.period("addSeats")
        refundSeats = try query.period("refundSeats")
        unclaim = try query.period("unclaim")
    }

    private func checkTogether() throws(SimulatedProductError) {
        func needs(_ key: String, _ isThere: Bool, _ other: String, _ isOther: Bool) throws(SimulatedProductError) {
            guard isThere, !isOther else { return }
            throw .init(description: "'\(key)' needs '\(other)'. Add it, or leave '\(key)' out.")
        }
        try needs("grace", grace != nil, "fail", failing != nil)
        try needs("recover", recovery != nil, "fail", failing != nil)
        try needs("graceDate", !hasGraceDate, "grace", grace != nil)
        try needs("resume", resume != nil, "cancel", cancel != nil)
        try needs("keep", keep != nil, "downgrade", downgrade != nil)
        try needs("accept", accept != nil, "increase", increase != nil)
        try needs("increaseTo", increasedPrice != nil, "increase", increase != nil)
        try needs("reversed", reversed != nil, "refund", refund != nil)
        try needs("refundShare", refundShare != nil, "refundForm=prorated", refundForm == .prorated)
        try needs("refundForm", refundForm != .full, "refund", refund != nil)
        try needs("revoke", revoke != nil, "family=1", isFamilyShared)
        try needs("addSeats", addSeats != nil, "seats", seats != nil)
        try needs("refundSeats", refundSeats != nil, "seats", seats != nil)
        try needs("unclaim", unclaim != nil, "seats", seats != nil)
        try needs("to", otherProduct != nil, "upgrade", upgrade != nil || downgrade != nil)
        try needs("toPrice", otherPrice != nil, "upgrade", upgrade != nil || downgrade != nil)
        try needs("quantity", quantity > 1, "type=consumable", kind == .consumable || kind == .nonrenewing)
        guard kind != .subscription else { return }
        let ordered =
            [offer != nil, failing != nil, withdrawnFromSale != nil, seats != nil, cancel != nil, upgrade != nil, downgrade != nil, redeem != nil]
            + [increase != nil, extend != nil, resubscribe != nil]
        guard !ordered.contains(true) else {
            throw .init(description: "'type=\(kind.rawValue)' is bought once and does not renew. Leave the keys of subscriptions out.")
        }
    }

    private enum OfferName: String, CaseIterable {
        case promotional, code, winback

        var kind: Offer.Kind {
            switch self {
            case .promotional: .promotional
            case .code: .code
            case .winback: .winBack
            }
        }
    }
}
