// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyLogger
import AdaptyUI
import SwiftUI
import UIKit

// Call site: an app delegate that starts with a builder and a completion.
final class ShopAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let builder =
            AdaptyConfiguration
            .builder(withAPIKey: "public_live_demo")
            .with(customerUserId: UserDefaults.standard.string(forKey: "user"))
            .with(observerMode: false)
            .with(idfaCollectionDisabled: true)
            .with(ipAddressCollectionDisabled: true)
        Adapty.activate(with: builder.build()) { error in
            if let error { print("Adapty did not start: \(error)") }
        }
        Adapty.delegate = SubscriptionObserver.shared
        return true
    }
}

// Call site: an app delegate that starts by key alone.
final class QuickAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Adapty.logLevel = .verbose
        Adapty.activate("public_live_demo")
        return true
    }
}

// Call site: an app delegate that passes the unbuilt builder, and a flag of observer mode.
@MainActor
func startObserving(_ userID: String) {
    Adapty.activate("public_live_demo", observerMode: true, customerUserId: userID) { error in
        print(error?.errorCode ?? 0)
    }
    Adapty.activate(with: AdaptyConfiguration.builder(withAPIKey: "public_live_demo"))
}

// Call site: a SwiftUI app that starts in its initialiser.
struct NotesApp: App {
    @StateObject private var store = NotesStore()

    init() {
        let configuration =
            AdaptyConfiguration
            .builder(withAPIKey: "public_live_demo")
            .with(logLevel: .info)
            .build()
        Task {
            do {
                try await Adapty.activate(with: configuration)
                try await AdaptyUI.activate()
            } catch {
                print("Could not start: \(error.localizedDescription)")
            }
        }
    }

    var body: some Scene {
        WindowGroup { NotesRoot(store: store) }
    }
}

@MainActor
final class NotesStore: ObservableObject {
    @Published var isPremium = false
}

struct NotesRoot: View {
    @ObservedObject var store: NotesStore

    var body: some View {
        Text(verbatim: store.isPremium ? "Pro" : "Free")
    }
}

// Call site: every option of the builder.
func everyOption(_ token: UUID, _ queue: DispatchQueue) -> AdaptyConfiguration {
    AdaptyConfiguration
        .builder(withAPIKey: "public_live_other")
        .with(apiKey: "public_live_demo")
        .with(customerUserId: "ada", withAppAccountToken: token)
        .with(observerMode: true)
        .with(serverCluster: .eu)
        .with(callbackDispatchQueue: queue)
        .with(clearDataOnBackup: true)
        .with(proxy: "127.0.0.1", port: 8_080)
        .with(transactionFinishBehavior: .manual)
        .with(idfaCollectionDisabled: true)
        .with(ipAddressCollectionDisabled: true)
        .with(logLevel: .debug)
        .build()
}

// Call site: the server and the app's links, Landfall's own options.
func ownServer(_ url: URL) -> AdaptyConfiguration {
    AdaptyConfiguration
        .builder(withAPIKey: "pk_demo")
        .with(serverURL: url)
        .with(links: LinkRules(domains: .init(brand: ["links.example.com"], universal: ["example.com"], schemes: ["example"])))
        .with(attributionLimit: 8)
        .build()
}

// Call site: the log goes into the app's own file.
func logIntoFile(_ write: @escaping @Sendable (String) -> Void) {
    Adapty.logLevel = .warn
    Adapty.setLogHandler { record in
        if record.level == .error {
            write("\(record.date) \(record.category.name) \(record.source.fileName) \(record.message)")
        }
    }
}

// Call site: a handler that is kept as a value, and taken away.
func logHandler(isOn: Bool) -> AdaptyLog.Handler? {
    let handler: AdaptyLog.Handler = { record in print(record) }
    Adapty.setLogHandler(isOn ? handler : nil)
    return isOn ? handler : nil
}

// Call site: what the settings screen shows.
func aboutText() -> String { "Adapty \(Adapty.SDKVersion), \(Adapty.isActivated ? "on" : "off"), \(Adapty.logLevel.rawValue)" }

// Call site: a manager that starts once and makes others wait.
actor StoreManager {
    private var starting: Task<Void, any Error>?

    func start(key: String) async throws {
        if let starting { return try await starting.value }
        let task = Task {
            try await Adapty.activate(with: AdaptyConfiguration.builder(withAPIKey: key).build())
            if let file = Bundle.main.url(forResource: "paywalls", withExtension: "json") {
                try await Adapty.setFallback(fileURL: file)
            }
        }
        starting = task
        do { try await task.value } catch {
            starting = nil
            throw error
        }
    }
}

// Call site: the configuration by its older name.
@available(*, deprecated)
func olderConfiguration(_ key: String) async throws {
    let builder: Adapty.Configuration.Builder = Adapty.Configuration.builder(withAPIKey: key)
    try await Adapty.activate(with: builder)
}

// Call site: the drawing is started with a completion, from anywhere.
func startDrawingLater(_ paywall: AdaptyPaywall, _ show: @escaping @Sendable (AdaptyUI.PaywallConfiguration) -> Void) {
    AdaptyUI.activate { error in
        guard error == nil else { return }
        AdaptyUI.getPaywallConfiguration(forPaywall: paywall, loadTimeout: 15) { result in
            if case .success(let configuration) = result { show(configuration) }
        }
    }
}
