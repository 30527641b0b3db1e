// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// The locks of installs and people. Two units exclude each other only by equal names, so the names are written here alone.
///
/// Inside a unit they are taken in this order: customer, profile, install. A call of an install names its own before it begins, so two
/// units wait for each other only if one erases whom the other is about, or if both are of one device; the engine runs one of them again.
extension RowLock {
    /// Held by a unit that makes the customer's id lead to a profile, or to none.
    static func customer(_ id: CustomerID, in app: AppID) -> RowLock {
        RowLock("customer", ["app_id": .text(app.rawValue), "customer_id": .text(id.rawValue)])
    }

    /// Held by a unit that makes the profile, deletes it, or lets another install show it.
    static func profile(_ id: ProfileID, in app: AppID) -> RowLock {
        RowLock("profile", ["app_id": .text(app.rawValue), "profile_id": .text(id.rawValue)])
    }

    /// Held by every call of the install, and by a unit that changes or deletes its row.
    static func install(_ id: InstallID, in app: AppID) -> RowLock {
        RowLock("install", ["app_id": .text(app.rawValue), "install_id": .text(id.rawValue)])
    }

    /// Held by a call that makes the first install of the device, or names another one as the first.
    static func device(_ id: String, in app: AppID) -> RowLock {
        RowLock("install", ["app_id": .text(app.rawValue), "device_id": .text(id)])
    }

    /// Held by a unit that stores which install owns the token.
    static func token(_ hash: TokenHash, in app: AppID) -> RowLock {
        RowLock("apple_ads_exchange", ["app_id": .text(app.rawValue), "token_hash": .text(hash.rawValue)])
    }

    /// Held by a call that came with the SDK key alone. The keys of an install are under the install's lock.
    static func key(_ key: IdempotencyKey, in app: AppID) -> RowLock {
        RowLock("request_key", ["app_id": .text(app.rawValue), "request_key": .text(key.rawValue)])
    }
}
