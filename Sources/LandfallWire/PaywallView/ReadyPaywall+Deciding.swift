// SPDX-License-Identifier: Apache-2.0

extension ReadyPaywall {
    public init(_ content: PaywallContent, _ progress: PaywallProgress = PaywallProgress()) {
        let words = content.words
        let sold = Self.sold(content, progress)
        let selected = [progress.selected, content.selectedProduct].compactMap(\.self)
            .compactMap { id in sold.first { $0.store.id == id } }.first ?? sold.first
        let state = Self.state(progress, hasProducts: !sold.isEmpty)

        self.state = state
        locale = content.locale
        isRightToLeft = content.isRightToLeft
        title = content.title
        subtitle = content.subtitle
        features = content.features
        products = sold.map { Product($0.said, $0.store, words, content, isSelected: $0.store.id == selected?.store.id) }
        message = Self.message(state, progress.step, words)
        footnote = content.footnote ?? selected?.store.period.map { _ in words[.renews] }
        mainButton = Self.mainButton(state, selected, words)
        restoreButton = progress.isOver ? nil : Button(title: words[.restore], action: .restore, isEnabled: !progress.isBusy)
        closeButton = content.hasCloseButton ? Button(title: words[.close], action: .close, isEnabled: true) : nil
        links = [
            content.terms.map { Link(title: words[.terms], url: $0) }, content.privacy.map { Link(title: words[.privacy], url: $0) },
        ].compactMap(\.self)
        colors = content.colors
        activity = Self.activity(state).map { words[$0] }
    }

    private typealias Sold = (said: PaywallContent.Product, store: StoreProduct)

    private static func sold(_ content: PaywallContent, _ progress: PaywallProgress) -> [Sold] {
        guard case .loaded(let products) = progress.store else { return [] }
        return content.products.compactMap { said in products.first { $0.id == said.id }.map { (said, $0) } }
    }

    /// A purchase or a restore counts before what the store says of products.
    private static func state(_ progress: PaywallProgress, hasProducts: Bool) -> State {
        switch (progress.step, progress.store) {
        case (.buying, _): .buying
        case (.restoring, _): .restoring
        case (.pending, _): .pending
        case (.purchased, _): .purchased
        case (.restored, _): .restored
        case (_, .loading): .loading
        case (_, .failed): .loadingFailed
        case (_, .loaded): hasProducts ? .ready : .noProducts
        }
    }

    private static func message(_ state: State, _ step: PaywallProgress.Step, _ words: PaywallWords) -> Message? {
        func problem(_ word: PaywallWord) -> Message { Message(text: words[word], isProblem: true) }
        func news(_ word: PaywallWord) -> Message { Message(text: words[word], isProblem: false) }
        return switch step {
        case .pending: news(.pending)
        case .purchased: news(.purchased)
        case .restored: news(.restored)
        case .nothingRestored: news(.nothingRestored)
        case .purchaseFailed: problem(.purchaseFailed)
        case .restoreFailed: problem(.restoreFailed)
        case .choosing, .buying, .restoring:
            switch state {
            case .loadingFailed: problem(.loadingFailed)
            case .noProducts: problem(.noProducts)
            default: nil
            }
        }
    }

    private static func mainButton(_ state: State, _ selected: Sold?, _ words: PaywallWords) -> Button {
        switch state {
        case .loadingFailed, .noProducts: return Button(title: words[.retry], action: .retry, isEnabled: true)
        case .pending, .purchased, .restored: return Button(title: words[.done], action: .close, isEnabled: true)
        default: break
        }
        guard let selected else { return Button(title: words[.buy], action: .buy, isEnabled: false) }
        let prices = PaywallPrices(product: selected.store, words: words)
        let values = ["name": selected.said.name ?? selected.store.displayName, "price": prices.price]
        return Button(title: words[prices.hasTrial ? .trial : .buy, values: values], action: .buy, isEnabled: state == .ready)
    }

    private static func activity(_ state: State) -> PaywallWord? {
        switch state {
        case .loading: .loading
        case .buying: .buying
        case .restoring: .restoring
        default: nil
        }
    }
}

extension ReadyPaywall.Product {
    fileprivate init(
        _ said: PaywallContent.Product, _ store: StoreProduct, _ words: PaywallWords, _ content: PaywallContent, isSelected: Bool
    ) {
        let prices = PaywallPrices(product: store, words: words)
        id = store.id
        name = said.name ?? store.displayName
        detail = said.detail
        badge = said.badge
        price = prices.price
        monthlyPrice = content.showsMonthlyPrice ? prices.monthlyPrice : nil
        offer = prices.offer
        self.isSelected = isSelected
        // The offer ends with the price.
        accessibilityLabel = [name, badge, offer ?? price, monthlyPrice, detail].compactMap(\.self).joined(separator: ", ")
    }
}
