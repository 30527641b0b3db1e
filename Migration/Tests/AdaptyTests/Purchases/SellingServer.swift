// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire

/// As ``ScriptedServer``, on a phone with a store, and with a server that takes purchases.
final class SellingServer: Sendable {
    let clock = ManualClock()
    let transport = ScriptedTransport()
    let history = ScriptedTransactions()
    let store: ScriptedProducts
    let activation: Activation
    let paywall: AdaptyPaywall
    private let desk = Desk()

    static let year = StoreProduct(
        id: "year", displayName: "Yearly", description: "All of it", price: 39.99, currencyCode: "EUR", displayPrice: "39,99 €",
        period: .init(1, .year),
        introductoryOffer: .init(.freeTrial, price: 0, displayPrice: "0,00 €", period: .init(1, .week), periodCount: 2),
        isEligibleForIntroductoryOffer: true)
    static let month = StoreProduct(
        id: "month", displayName: "Monthly", price: 4.99, currencyCode: "EUR", displayPrice: "4,99 €", period: .init(1, .month))
    static let coins = StoreProduct(id: "coins", displayName: "Coins", price: 0.99, currencyCode: "EUR", displayPrice: "0,99 €")

    /// - Parameter products: what the store sells.
    init(_ products: [StoreProduct] = [month, coins, year]) throws {
        store = ScriptedProducts(products, clock: clock, history: history)
        paywall = try AdaptyPaywall.shown()
        let (clock, transport, history, store, desk) = (clock, transport, history, store, desk)
        activation = Activation(time: clock.time, log: LogDesk(write: { _ in }), store: store) { settings in
            var settings = settings
            settings.transport = transport
            settings.storage = MemoryStorage()
            settings.time = clock.time
            settings.transactions = history
            settings.products = store
            return LandfallClient(settings)
        }
        transport.on("POST", WirePath.firstOpen) { _ in
            try .lines([.profile(desk.profile), .attribution(.notAttributed), .end(.final)])
        }
        transport.on("POST", WirePath.purchases) { request in
            try desk.answer(WireCoding.decode(PurchaseReport.self, from: request.body ?? Data()))
        }
        transport.on("POST", WirePath.events) { request in
            let batch = try WireCoding.decode(EventBatch.self, from: request.body ?? Data())
            return try .json(EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) }))
        }
    }

    /// Why the server rejects every transaction; nil: it takes them.
    var rejection: String? {
        get { desk.read(\.rejection) }
        set { desk.change { $0.rejection = newValue } }
    }

    /// True: 503.
    var isBusy: Bool {
        get { desk.read(\.isBusy) }
        set { desk.change { $0.isBusy = newValue } }
    }

    /// What has arrived with a transaction.
    var reports: [PurchaseReport] { desk.read(\.reports) }

    func activate(_ change: (AdaptyConfiguration.Builder) -> AdaptyConfiguration.Builder = { $0 }) async throws -> LandfallClient {
        let builder = AdaptyConfiguration.builder(withAPIKey: "pk_demo").with(serverURL: URL(string: "https://api.example.com")!)
        try activation.activate(change(builder).build())
        let client = try await activation.client()
        while client.profile == nil, !Task.isCancelled { await pass(.milliseconds(100)) }
        return client
    }

    func pass(_ duration: Duration) async { await clock.pass(duration) }

    /// Lets time pass until it is so, or the test's time is over.
    func pass(until isSo: () -> Bool) async {
        while !isSo(), !Task.isCancelled { await pass(.milliseconds(100)) }
    }

    /// Lets time pass until the call is over.
    func run<Value: Sendable>(_ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await clock.run(call)
    }
}

/// The server's side.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
private final class Desk: @unchecked Sendable {
    struct State {
        var reports: [PurchaseReport] = []
        var rejection: String?
        var isBusy = false
        var version: Int64 = 1
    }

    private let lock = NSLock()
    private var state = State()

    func read<Value>(_ path: KeyPath<State, Value>) -> Value { lock.withLock { state[keyPath: path] } }
    func change(_ body: (inout State) -> Void) { lock.withLock { body(&state) } }

    var profile: WireProfile {
        let (version, hasSold) = lock.withLock { (state.version, !state.reports.isEmpty && state.rejection == nil) }
        var profile = WireProfile(
            id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: version, attributionVersion: 1)
        let premium = WireAccessLevel(
            state: .active, isActive: true, store: .appStore, startsAtMilliseconds: 1_790_000_000_000, endsAtMilliseconds: nil)
        profile.accessLevels = hasSold ? ["premium": premium] : [:]
        profile.purchaseToken = "5a6b7c8d-1111-4222-8333-444455556666"
        return profile
    }

    func answer(_ report: PurchaseReport) throws -> ScriptedAnswer {
        if read(\.isBusy) { return try .problem(503, .busy) }
        change { state in
            state.version += 1
            if !report.transactions.isEmpty { state.reports.append(report) }
        }
        let code = read(\.rejection).map { ErrorCode($0) }
        let result = PurchaseAnswer.Result(status: code == nil ? .accepted : .rejected, code: code)
        return try .json(PurchaseAnswer(results: report.transactions.map { _ in result }, profile: profile))
    }
}
