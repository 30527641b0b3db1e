// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's Security that LandfallApple uses, declared as Swift imports Apple's headers, so that the adapter compiles
// and runs without Apple's SDK. Differences from Apple's: Core Foundation's types are their toll-free counterparts of
// Foundation, and the keychain is a dictionary in memory that knows generic passwords only.
public import Foundation

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary

public var errSecSuccess: OSStatus { 0 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecMissingEntitlement: OSStatus { -34018 }

// The values are Apple's own; `unsafe`, because NSString is not Sendable although these never change.
nonisolated(unsafe) public let kSecClass: CFString = NSString(string: "class")
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = NSString(string: "genp")
nonisolated(unsafe) public let kSecAttrService: CFString = NSString(string: "svce")
nonisolated(unsafe) public let kSecAttrAccount: CFString = NSString(string: "acct")
nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = NSString(string: "agrp")
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = NSString(string: "nleg")
nonisolated(unsafe) public let kSecAttrAccessible: CFString = NSString(string: "pdmn")
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = NSString(string: "cku")
nonisolated(unsafe) public let kSecValueData: CFString = NSString(string: "v_Data")
nonisolated(unsafe) public let kSecReturnData: CFString = NSString(string: "r_Data")
nonisolated(unsafe) public let kSecMatchLimit: CFString = NSString(string: "m_Limit")
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = NSString(string: "m_LimitOne")

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain.call(query) { keychain in
        guard let item = keychain.items[SimulatedKeychain.Key(query)] else { return errSecItemNotFound }
        if query[kSecReturnData] as? Bool == true { result?.pointee = NSData(data: item.data) }
        return errSecSuccess
    }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain.call(attributes) { keychain in
        let key = SimulatedKeychain.Key(attributes)
        if keychain.items[key] != nil { return errSecDuplicateItem }
        keychain.items[key] = SimulatedKeychain.Item(
            data: attributes[kSecValueData] as? Data ?? Data(), accessible: attributes[kSecAttrAccessible] as? String
        )
        return errSecSuccess
    }
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SimulatedKeychain.call(query) { keychain in
        let key = SimulatedKeychain.Key(query)
        guard var item = keychain.items[key] else { return errSecItemNotFound }
        if let data = attributesToUpdate[kSecValueData] as? Data { item.data = data }
        if let accessible = attributesToUpdate[kSecAttrAccessible] as? String { item.accessible = accessible }
        keychain.items[key] = item
        return errSecSuccess
    }
}

/// Not in Apple's module: the keychain of this process.
public struct SimulatedKeychain: Sendable {
    public struct Key: Hashable, Sendable {
        public let service: String?
        public let account: String?
        /// nil: the app's first.
        public let accessGroup: String?
        /// False: in the file-based keychain of macOS, which other programs can read.
        public let isDataProtected: Bool

        init(_ query: CFDictionary) {
            precondition(query[kSecClass] as? String == "genp", "Only generic passwords are simulated.")
            service = query[kSecAttrService] as? String
            account = query[kSecAttrAccount] as? String
            accessGroup = query[kSecAttrAccessGroup] as? String
            isDataProtected = query[kSecUseDataProtectionKeychain] as? Bool == true
        }
    }

    public struct Item: Hashable, Sendable {
        public var data: Data
        /// The value of `kSecAttrAccessible`.
        public var accessible: String?
    }

    public init() {}

    public var items: [Key: Item] = [:]
    /// Before the first unlock after a start: every call answers `errSecInteractionNotAllowed`.
    public var isLocked = false
    /// Access groups that the app's entitlement names; another one is answered by `errSecMissingEntitlement`.
    public var accessGroups: Set<String> = []
    /// What every call answers, whatever it asks; nil as usual.
    public var failure: OSStatus?
    /// True if any call came on the main thread.
    public var wasCalledOnMainThread = false

    private static let lock = NSLock()
    nonisolated(unsafe) private static var keychain = SimulatedKeychain()

    /// Guarded by `lock`.
    public static var current: SimulatedKeychain {
        get { lock.withLock { keychain } }
        set { lock.withLock { keychain = newValue } }
    }

    static func call(_ query: CFDictionary, _ body: (inout SimulatedKeychain) -> OSStatus) -> OSStatus {
        lock.withLock {
            if Thread.isMainThread { keychain.wasCalledOnMainThread = true }
            if let failure = keychain.failure { return failure }
            if let group = Key(query).accessGroup, !keychain.accessGroups.contains(group) { return errSecMissingEntitlement }
            return keychain.isLocked ? errSecInteractionNotAllowed : body(&keychain)
        }
    }
}
