// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// What ``Adapty/activate(with:)`` needs to know; made by ``builder(withAPIKey:)``.
public struct AdaptyConfiguration: Sendable {
    var apiKey: String
    var customerUserId: String?
    var observerMode = false
    var idfaCollectionDisabled = false
    var ipAddressCollectionDisabled = false
    var logLevel: AdaptyLog.Level?
    var serverURL: URL?
    var adTokens: (any AdTokenSource)?
    var storageDirectory: URL?

    /// - Parameter apiKey: the app's public SDK key, `pk_…`.
    public static func builder(withAPIKey apiKey: String) -> Builder {
        Builder(AdaptyConfiguration(apiKey: apiKey))
    }
}

extension AdaptyConfiguration {
    /// Collects the settings; each call changes this builder and returns it.
    public final class Builder {
        private var configuration: AdaptyConfiguration

        init(_ configuration: AdaptyConfiguration) { self.configuration = configuration }

        /// The team's own id of the person, attached to the profile as `identify` would.
        @discardableResult
        public func with(customerUserId: String?) -> Self { set(\.customerUserId, customerUserId) }

        /// Changes nothing: Landfall makes and observes no purchases.
        @discardableResult
        public func with(observerMode: Bool) -> Self { set(\.observerMode, observerMode) }

        /// Changes nothing: Landfall never reads the advertising id.
        @discardableResult
        public func with(idfaCollectionDisabled: Bool) -> Self { set(\.idfaCollectionDisabled, idfaCollectionDisabled) }

        /// Changes nothing: Landfall stores no network address.
        @discardableResult
        public func with(ipAddressCollectionDisabled: Bool) -> Self {
            set(\.ipAddressCollectionDisabled, ipAddressCollectionDisabled)
        }

        /// As ``Adapty/logLevel``.
        @discardableResult
        public func with(logLevel: AdaptyLog.Level) -> Self { set(\.logLevel, logLevel) }

        /// The address of the team's own Landfall server. Without it, see ``Adapty/activate(_:observerMode:customerUserId:)``.
        @discardableResult
        public func with(serverURL: URL) -> Self { set(\.serverURL, serverURL) }

        /// A different source of ad tokens than the platform's own: for tests, and for platforms without one.
        @discardableResult
        public func with(adTokens: any AdTokenSource) -> Self { set(\.adTokens, adTokens) }

        /// The directory of the SDK's files; by default a folder in Application Support. One process owns a directory.
        @discardableResult
        public func with(storageDirectory: URL) -> Self { set(\.storageDirectory, storageDirectory) }

        public func build() -> AdaptyConfiguration { configuration }

        private func set<Value>(_ setting: WritableKeyPath<AdaptyConfiguration, Value>, _ value: Value) -> Self {
            configuration[keyPath: setting] = value
            return self
        }
    }
}

extension AdaptyConfiguration: Equatable {
    /// Two sources of ad tokens count as the same when they are of one type: they can be compared no further.
    public static func == (one: Self, other: Self) -> Bool {
        one.apiKey == other.apiKey
            && one.customerUserId == other.customerUserId
            && one.observerMode == other.observerMode
            && one.idfaCollectionDisabled == other.idfaCollectionDisabled
            && one.ipAddressCollectionDisabled == other.ipAddressCollectionDisabled
            && one.logLevel == other.logLevel
            && one.serverURL == other.serverURL
            && one.storageDirectory == other.storageDirectory
            && one.adTokens.map { ObjectIdentifier(type(of: $0)) } == other.adTokens.map { ObjectIdentifier(type(of: $0)) }
    }
}
