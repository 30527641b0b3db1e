// SPDX-License-Identifier: Apache-2.0
public import AdaptyLogger
public import Foundation
public import Landfall

extension AdaptyConfiguration {
    /// Collects the settings; each call changes this builder and returns it.
    public final class Builder {
        private var configuration: AdaptyConfiguration

        init(_ configuration: AdaptyConfiguration) { self.configuration = configuration }

        /// Replaces the key that the builder was made with.
        @discardableResult
        public func with(apiKey: String) -> Self { set(\.apiKey, apiKey) }

        /// The team's own id of the person, attached to the profile as `identify` would.
        /// - Parameter token: not used: a purchase carries the profile's own. The log says so once.
        @discardableResult
        public func with(customerUserId: String?, withAppAccountToken token: UUID? = nil) -> Self {
            set(\.appAccountToken, customerUserId == nil ? nil : token).set(\.customerUserId, customerUserId)
        }

        /// True: the app buys and finishes by itself. The server hears of every purchase as without; nothing is finished, and promoted
        /// purchases are left to the app.
        @discardableResult
        public func with(observerMode: Bool) -> Self { set(\.observerMode, observerMode) }

        /// Always so: Landfall never reads the advertising id.
        @discardableResult
        public func with(idfaCollectionDisabled: Bool) -> Self { set(\.idfaCollectionDisabled, idfaCollectionDisabled) }

        /// Always so: Landfall stores no network address.
        @discardableResult
        public func with(ipAddressCollectionDisabled: Bool) -> Self {
            set(\.ipAddressCollectionDisabled, ipAddressCollectionDisabled)
        }

        /// Always so: Landfall's files are never part of a backup, and a restored copy begins an installation of its own.
        @discardableResult
        public func with(clearDataOnBackup: Bool) -> Self { set(\.clearDataOnBackup, clearDataOnBackup) }

        /// Where completions and the delegate are called; by default the main queue. On a concurrent queue they have no order.
        @discardableResult
        public func with(callbackDispatchQueue: DispatchQueue) -> Self {
            set(\.callbackDispatchQueue, callbackDispatchQueue)
        }

        /// Changes nothing: the team's own server is the only one. The log says so once.
        @discardableResult
        public func with(serverCluster: ServerCluster) -> Self { set(\.serverCluster, serverCluster) }

        /// Changes nothing: the system's proxy settings count. The log says so once.
        @discardableResult
        public func with(proxy host: String, port: Int) -> Self { set(\.proxy, "\(host):\(port)") }

        /// Without effect in observer mode.
        @discardableResult
        public func with(transactionFinishBehavior: TransactionFinishBehavior) -> Self {
            set(\.transactionFinishBehavior, transactionFinishBehavior)
        }

        /// As ``Adapty/logLevel``.
        @discardableResult
        public func with(logLevel: AdaptyLog.Level) -> Self { set(\.logLevel, logLevel) }

        /// The address of the team's own Landfall server. Without it, see ``Adapty/activate(_:observerMode:customerUserId:)``.
        @discardableResult
        public func with(serverURL: URL) -> Self { set(\.serverURL, serverURL) }

        /// Which hosts and schemes are the app's own links, and which of their links need no server.
        @discardableResult
        public func with(links: LinkRules) -> Self { set(\.links, links) }

        /// A different source of ad tokens than the platform's own: for tests, and for platforms without one.
        @discardableResult
        public func with(adTokens: any AdTokenSource) -> Self { set(\.adTokens, adTokens) }

        /// The directory of the SDK's files; by default a folder in Application Support. One process owns a directory.
        @discardableResult
        public func with(storageDirectory: URL) -> Self { set(\.storageDirectory, storageDirectory) }

        /// How long calls for a paywall wait for attribution: seconds from `activate`, 0 to a day; NaN and negative values are 0.
        /// Without it: 5 seconds, and a call that is made after 3 seconds or later does not wait, because a timer of the app's
        /// own has waited before.
        @discardableResult
        public func with(attributionLimit: TimeInterval) -> Self { set(\.attributionLimit, Duration(checked: attributionLimit)) }

        public func build() -> AdaptyConfiguration { configuration }

        @discardableResult
        private func set<Value>(_ setting: WritableKeyPath<AdaptyConfiguration, Value>, _ value: Value) -> Self {
            configuration[keyPath: setting] = value
            return self
        }
    }
}
