// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// Why the App Store was not asked what a person wanted to know, or has not answered.
enum AppStoreQuestionRefusal: Refusal, Hashable {
    case noServer
    case noKey
    case unusableKey(UnusablePrivateKey)
    /// Of a test: App Store Connect names no address.
    case noAddress
    case apple(AppStoreAPIError)

    var code: ErrorCode {
        switch self {
        case .noServer, .noKey, .unusableKey: ErrorCode(rawValue: "app_store_api_unconfigured")
        case .noAddress, .apple: ErrorCode(rawValue: "app_store_api_refused")
        }
    }

    var description: String {
        switch self {
        case .noServer: "No server runs here, and only a server asks the App Store. Start it with 'landfall serve', then ask again."
        case .noKey: "The configuration has no key for the App Store Server API. Write 'purchases.api': docs/setting-up/app-store-connect.md has the steps."
        case .unusableKey(let error): "\(error)"
        case .noAddress: "Apple knows no address for notifications of this app. Write it in App Store Connect, 'App Store Server Notifications'."
        case .apple(let error): "\(error)"
        }
    }
}
