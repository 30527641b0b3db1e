// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
internal import Dispatch
public import Foundation
public import Landfall
internal import Security

/// Keeps the device id in the keychain: it stays when the app is deleted and never leaves this device, not even in a backup.
public final class KeychainDeviceIDStore: DeviceIDStore {
    private let account: String
    private let accessGroup: String?
    /// Calls to the keychain block, so they have their own thread.
    private let queue = DispatchQueue(label: "landfall.keychain", qos: .userInitiated)

    /// On macOS the item is in the data protection keychain, as on the other platforms. The app needs an entitlement for it,
    /// `keychain-access-groups` or an application identifier. Without one there is no device id.
    /// - Parameters:
    ///   - account: distinguishes apps that share one keychain group. Default: the bundle's id.
    ///   - accessGroup: as in the entitlement `keychain-access-groups`, with the team's prefix. Default: the app's first.
    public init(account: String = Bundle.main.bundleIdentifier ?? "app", accessGroup: String? = nil) {
        self.account = account
        self.accessGroup = accessGroup
    }

    public func read() async throws -> String? {
        try await onQueue { [self] in
            let query = item()
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw failure(status) }
            guard let data = result as? Data, let id = String(data: data, encoding: .utf8), !id.isEmpty else {
                return nil  // The item is not ours: writing replaces it.
            }
            return id
        }
    }

    public func write(_ id: String) async throws {
        try await onQueue { [self] in
            func setValue(in item: NSMutableDictionary) {
                item[kSecValueData] = Data(id.utf8)
                item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            }
            let value = NSMutableDictionary()
            setValue(in: value)
            var status = SecItemUpdate(item() as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let item = item()
                setValue(in: item)
                status = SecItemAdd(item as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure(status) }
        }
    }

    private func item() -> NSMutableDictionary {
        let item = NSMutableDictionary()
        item[kSecClass] = kSecClassGenericPassword
        item[kSecAttrService] = "landfall.device-id"
        item[kSecAttrAccount] = account
        item[kSecUseDataProtectionKeychain] = true
        if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
        return item
    }

    /// Only the error of a locked device goes away by itself.
    private func failure(_ status: OSStatus) -> any Error {
        if status == errSecInteractionNotAllowed { return KeychainFailure(status: status) }
        let advice =
            status == errSecMissingEntitlement
            ? "sign the app with the entitlement keychain-access-groups\(accessGroup.map { " that names \($0)" } ?? "")."
            : "see what SecCopyErrorMessageString says about it."
        return DeviceIDUnavailable("the keychain answered \(status); \(advice)")
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            queue.async { caller.resume(with: Result(catching: body)) }
        }
    }
}

/// The keychain cannot be read yet: it is not known whether the item exists.
public struct KeychainFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple's result code; -25308 before the first unlock after the device was started.
    public let status: Int32

    public var description: String {
        "The keychain answered \(status): the device has not been unlocked. The SDK waits and asks again; nothing to do."
    }
}
#endif
