// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
internal import Dispatch
public import Foundation
public import Landfall
internal import Security

/// Keeps the device id in the keychain: it stays when the app is deleted and never leaves this device, not even in a backup.
public final class KeychainDeviceIDStore: DeviceIDStore {
    private let account: String
    /// Calls to the keychain block, so they have a thread that is nobody else's.
    private let queue = DispatchQueue(label: "landfall.keychain")

    /// - Parameter account: tells apps apart that share one keychain group. Default: the bundle's id.
    public init(account: String = Bundle.main.bundleIdentifier ?? "app") { self.account = account }

    public func read() async throws -> String? {
        try await onQueue { [account] in
            let query = Self.item(account)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
            guard let data = result as? Data, let id = String(data: data, encoding: .utf8), !id.isEmpty else {
                return nil  // Nothing of ours: writing replaces it.
            }
            return id
        }
    }

    public func write(_ id: String) async throws {
        try await onQueue { [account] in
            let value = NSMutableDictionary()
            value[kSecValueData] = Data(id.utf8)
            value[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            var status = SecItemUpdate(Self.item(account) as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let item = Self.item(account)
                item.addEntries(from: value as? [AnyHashable: Any] ?? [:])
                status = SecItemAdd(item as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
        }
    }

    private static func item(_ account: String) -> NSMutableDictionary {
        let item = NSMutableDictionary()
        item[kSecClass] = kSecClassGenericPassword
        item[kSecAttrService] = "landfall.device-id"
        item[kSecAttrAccount] = account
        return item
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            queue.async { caller.resume(with: Result(catching: body)) }
        }
    }
}

/// The keychain failed: it did not say whether the item exists.
public struct KeychainFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple's result code; -25308 before the first unlock after a start of the device.
    public let status: Int32

    public var description: String {
        "The keychain answered \(status). The SDK waits and asks again; check the app's keychain entitlement if this stays."
    }
}
#endif
