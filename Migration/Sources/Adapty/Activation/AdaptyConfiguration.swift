// SPDX-License-Identifier: Apache-2.0
import AdaptyLogger
import Foundation
import Landfall

/// What ``Adapty/activate(with:)-(AdaptyConfiguration)`` needs to know; made by ``builder(withAPIKey:)``.
public struct AdaptyConfiguration: Sendable {
    var apiKey: String
    var customerUserId: String?
    var appAccountToken: UUID?
    var observerMode = false
    var idfaCollectionDisabled = false
    var ipAddressCollectionDisabled = false
    var clearDataOnBackup = false
    var callbackDispatchQueue: DispatchQueue?
    var serverCluster = ServerCluster.default
    var proxy: String?
    var transactionFinishBehavior = TransactionFinishBehavior.default
    var logLevel: AdaptyLog.Level?
    var serverURL: URL?
    var links: LinkRules?
    var adTokens: (any AdTokenSource)?
    var storageDirectory: URL?
    var attributionLimit: Duration?

    /// - Parameter apiKey: the app's public SDK key, `pk_…`.
    public static func builder(withAPIKey apiKey: String) -> Builder {
        Builder(AdaptyConfiguration(apiKey: apiKey))
    }

    /// Has no effect: the team's own server is the only one.
    public enum ServerCluster: Hashable, Sendable {
        case `default`, eu, cn
    }

    /// Who ends a transaction of the App Store that `makePurchase` did not sell: renewals, purchases from before, and approved ones.
    public enum TransactionFinishBehavior: Hashable, Sendable {
        /// Once the server has it on disk.
        case auto
        /// The app, by ``AdaptyUnfinishedTransaction/finish()``.
        case manual
        public static let `default` = TransactionFinishBehavior.auto
    }
}

public typealias AdaptyServerCluster = AdaptyConfiguration.ServerCluster

extension AdaptyConfiguration: Equatable {
    /// Two sources of ad tokens count as equal if they have the same type, and two queues if they have the same label: nothing else of
    /// them can be compared.
    public static func == (one: Self, other: Self) -> Bool {
        one.apiKey == other.apiKey
            && one.customerUserId == other.customerUserId
            && one.appAccountToken == other.appAccountToken
            && one.observerMode == other.observerMode
            && one.idfaCollectionDisabled == other.idfaCollectionDisabled
            && one.ipAddressCollectionDisabled == other.ipAddressCollectionDisabled
            && one.clearDataOnBackup == other.clearDataOnBackup
            && one.callbackDispatchQueue?.label == other.callbackDispatchQueue?.label
            && one.serverCluster == other.serverCluster
            && one.proxy == other.proxy
            && one.transactionFinishBehavior == other.transactionFinishBehavior
            && one.logLevel == other.logLevel
            && one.serverURL == other.serverURL
            && one.links == other.links
            && one.storageDirectory == other.storageDirectory
            && one.attributionLimit == other.attributionLimit
            && one.adTokens.map { ObjectIdentifier(type(of: $0)) } == other.adTokens.map { ObjectIdentifier(type(of: $0)) }
    }
}

extension AdaptyConfiguration {
    /// Settings of the app that have no effect here.
    var notices: [Notice] {
        [
            appAccountToken != nil ? .appAccountToken : nil,
            serverCluster != .default ? .serverCluster : nil,
            proxy != nil ? .proxy : nil,
        ].compactMap { $0 }
    }
}

extension Notice {
    static let appAccountToken = Notice(
        "The app account token is not used: a purchase carries the profile's own, Adapty.client?.profile?.purchaseToken. Leave it out.")
    static let serverCluster = Notice(
        "serverCluster changes nothing: your own server is the only one. Name it by LandfallServerURL or with(serverURL:).")
    static let proxy = Notice(
        "with(proxy:port:) changes nothing: the system's settings count. To go through another host, use with(serverURL:).")
}
