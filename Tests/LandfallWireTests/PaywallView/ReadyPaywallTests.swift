// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("What the ready paywall shows", .timeLimit(.minutes(1)))
struct ReadyPaywallTests {
    typealias State = ReadyPaywall.State

    // MARK: States

    private static let shelf = PaywallProgress.Store.loaded([.monthly, .yearly()])

    @Test(
        "Each step and each answer of the store is a state, with its message, its activity and its main button",
        arguments: [
            (.choosing, .loading, .loading, nil, "Loading prices", "Continue", .buy, false),
            (.choosing, .failed, .loadingFailed, "The prices could not be loaded.", nil, "Try again", .retry, true),
            (.choosing, .loaded([]), .noProducts, "Nothing can be bought at the moment.", nil, "Try again", .retry, true),
            (.choosing, shelf, .ready, nil, nil, "Continue", .buy, true),
            (.buying, shelf, .buying, nil, "Purchasing", "Continue", .buy, false),
            (.pending, shelf, .pending, "Your purchase waits for approval. You get access as soon as it is approved.", nil, "Continue", .close, true),
            (.purchased, shelf, .purchased, "Thank you. Your purchase is complete.", nil, "Continue", .close, true),
            (.purchaseFailed, shelf, .ready, "The purchase was not completed.", nil, "Continue", .buy, true),
            (.restoring, shelf, .restoring, nil, "Restoring purchases", "Continue", .buy, false),
            (.restoring, .failed, .restoring, nil, "Restoring purchases", "Continue", .buy, false),
            (.restored, .failed, .restored, "Your purchases are restored.", nil, "Continue", .close, true),
            (.nothingRestored, shelf, .ready, "There are no purchases to restore.", nil, "Continue", .buy, true),
            (.nothingRestored, .failed, .loadingFailed, "There are no purchases to restore.", nil, "Try again", .retry, true),
            (.restoreFailed, shelf, .ready, "Your purchases could not be restored.", nil, "Continue", .buy, true),
        ] as [(PaywallProgress.Step, PaywallProgress.Store, State, String?, String?, String, ReadyPaywall.Action, Bool)])
    func states(
        step: PaywallProgress.Step, store: PaywallProgress.Store, state: State, message: String?, activity: String?, title: String,
        action: ReadyPaywall.Action, isEnabled: Bool
    ) {
        let paywall = ReadyPaywall(.read(nil), PaywallProgress(store: store, step: step))

        #expect(paywall.state == state && paywall.message?.text == message && paywall.activity == activity)
        #expect(paywall.isBusy == (activity != nil))
        #expect(paywall.mainButton.title == title && paywall.mainButton.action == action && paywall.mainButton.isEnabled == isEnabled)
        #expect(paywall.allows(action) == isEnabled || action == .close)
    }

    @Test("What failed is a problem, and what went well is none", arguments: PaywallProgress.Step.allCases)
    func problems(step: PaywallProgress.Step) {
        let message = ReadyPaywall(.read(nil), PaywallProgress(store: Self.shelf, step: step)).message

        #expect((message?.isProblem == true) == [.purchaseFailed, .restoreFailed].contains(step))
    }

    @Test("Purchases are restored before the products are there, not while the store is asked, and not when it is over", arguments: PaywallProgress.Step.allCases)
    func restoreButton(step: PaywallProgress.Step) {
        let paywall = ReadyPaywall(.read(nil), PaywallProgress(store: .failed, step: step))

        #expect((paywall.restoreButton == nil) == [.pending, .purchased, .restored].contains(step))
        #expect(paywall.allows(.restore) == [.choosing, .purchaseFailed, .nothingRestored, .restoreFailed].contains(step))
    }

    @Test("The paywall is closed at any time, unless remote config takes the button away", arguments: PaywallProgress.Step.allCases)
    func closing(step: PaywallProgress.Step) {
        let progress = PaywallProgress(store: Self.shelf, step: step)

        #expect(ReadyPaywall(.read(nil), progress).allows(.close))
        #expect(ReadyPaywall(.read(["hasCloseButton": false]), progress).allows(.close) == [.pending, .purchased, .restored].contains(step))
    }

    @Test("An action that no button has is not allowed")
    func unknownAction() {
        #expect(!ReadyPaywall.ready().allows(.retry) && !ReadyPaywall.ready().allows(.init(rawValue: "gift")))
    }

    // MARK: Products

    @Test("Products come in the paywall's order, only those that the store has, and none that the paywall does not have")
    func order() {
        let other = StoreProduct(id: "other", displayName: "Other", price: 1, currencyCode: "USD", displayPrice: "$1")

        #expect(ReadyPaywall.ready(nil, [other, .monthly, .yearly()]).products.map(\.id) == ["yearly", "monthly"])
        #expect(ReadyPaywall.ready(nil, [.monthly]).products.map(\.id) == ["monthly"])
        #expect(ReadyPaywall.ready(nil, [other]).state == .noProducts)
    }

    @Test(
        "The person's choice counts, then remote config's, then the first; a product that the store does not have is not chosen",
        arguments: [
            (nil, nil, "yearly"), (nil, "monthly", "monthly"), ("yearly", "monthly", "yearly"), ("weekly", nil, "yearly"), ("weekly", "monthly", "monthly"),
        ])
    func selection(chosen: String?, configured: String?, selected: String) {
        let content = PaywallContent.read(configured.map { ["selectedProduct": .string($0)] })
        let paywall = ReadyPaywall(content, PaywallProgress(store: Self.shelf, selected: chosen))

        #expect(paywall.selectedProduct?.id == selected)
        #expect(paywall.products.filter(\.isSelected).count == 1)
    }

    @Test("A configured choice that the store does not have falls back to the first that it has")
    func unsoldSelection() {
        #expect(ReadyPaywall.ready(["selectedProduct": "yearly"], [.monthly]).selectedProduct?.id == "monthly")
    }

    @Test("Names are remote config's, else the store's; badges and details are remote config's")
    func names() {
        let products = ReadyPaywall.ready(["products": [["id": "yearly", "name": "Twelve months", "badge": "Best value", "detail": "One payment"]]]).products

        #expect(products.map(\.name) == ["Twelve months", "Monthly"])
        #expect(products.map(\.badge) == ["Best value", nil] && products.map(\.detail) == ["One payment", nil])
    }

    @Test("The price for a month is there unless remote config takes it away")
    func monthlyPrice() {
        #expect(ReadyPaywall.ready().products.map(\.monthlyPrice) == ["$5.00 per month", nil])
        #expect(ReadyPaywall.ready(["showsMonthlyPrice": false]).products.map(\.monthlyPrice) == [nil, nil])
    }

    // MARK: Texts

    @Test("The button says that a trial is free only where this person gets one with the chosen product")
    func trialButton() {
        func title(_ offer: StoreProduct.Offer?, isEligible: Bool = true, _ config: JSONValue? = nil) -> String {
            ReadyPaywall.ready(config, [.yearly(offer: offer, isEligible: isEligible), .monthly]).mainButton.title
        }

        #expect(title(.freeWeek) == "Start free trial" && title(.freeWeek, isEligible: false) == "Continue" && title(nil) == "Continue")
        #expect(title(.freeWeek, ["selectedProduct": "monthly"]) == "Continue")
        #expect(title(.init(.payUpFront, price: 1, displayPrice: "$1", period: .init(1, .week))) == "Continue")
    }

    @Test("Remote config has its own buttons, which may say the price and the name")
    func ownButtons() {
        let config: JSONValue = [
            "buttons": ["buy": "Get {name} for {price}", "trial": "Try it", "restore": "Bought before?", "close": "Later", "retry": "Again", "done": "Go"]
        ]
        let ready = ReadyPaywall.ready(config)

        #expect(ready.mainButton.title == "Get Yearly for $60.00 per year")
        #expect(ReadyPaywall.ready(config, [.yearly(offer: .freeWeek)]).mainButton.title == "Try it")
        #expect(ready.restoreButton?.title == "Bought before?" && ready.closeButton?.title == "Later")
        #expect(ReadyPaywall(.read(config), PaywallProgress(store: .failed)).mainButton.title == "Again")
        #expect(ReadyPaywall(.read(config), PaywallProgress(store: .failed, step: .purchased)).mainButton.title == "Go")
    }

    @Test("A subscription says that it renews; a footnote of remote config takes its place")
    func footnote() {
        #expect(ReadyPaywall.ready().footnote == "Renews automatically until you cancel.")
        #expect(ReadyPaywall.ready(nil, [.yearly(period: nil)]).footnote == nil)
        #expect(ReadyPaywall.ready(["footnote": "Cancel in Settings."]).footnote == "Cancel in Settings.")
        #expect(ReadyPaywall(.read(nil)).footnote == nil)
    }

    @Test("Links that remote config has are there, in its language")
    func links() {
        let config: JSONValue = ["links": ["terms": "https://example.com/t", "privacy": "https://example.com/p"], "words": ["privacy": "Your data"]]

        #expect(ReadyPaywall.ready(config).links.map(\.title) == ["Terms of use", "Your data"])
        #expect(ReadyPaywall.ready(config).links.map(\.url.path) == ["/t", "/p"])
        #expect(ReadyPaywall.ready(["links": ["terms": "https://example.com/t"]], locale: "ja").links.map(\.title) == ["利用規約"])
        #expect(ReadyPaywall.ready().links.isEmpty)
    }

    // MARK: Accessibility

    @Test("VoiceOver reads a product as one text: name, badge, offer or price, price for a month, detail")
    func label() {
        let config: JSONValue = ["products": [["id": "yearly", "badge": "Best value", "detail": "One payment"]]]
        let paywall = ReadyPaywall.ready(config, [.yearly(offer: .freeWeek), .monthly])

        #expect(
            paywall.products.map(\.accessibilityLabel) == [
                "Yearly, Best value, 1 week free, then $60.00 per year, $5.00 per month, One payment", "Monthly, $9.99 per month",
            ])
    }

    @Test("The same values show the same, and its locale and direction go with it")
    func pure() {
        let hebrew = ReadyPaywall.ready(["title": "שלום"], locale: "he")

        #expect(hebrew == .ready(["title": "שלום"], locale: "he"))
        #expect(hebrew.isRightToLeft && hebrew.locale == "he" && hebrew.title == "שלום")
        #expect(!ReadyPaywall.ready().isRightToLeft)
    }
}
