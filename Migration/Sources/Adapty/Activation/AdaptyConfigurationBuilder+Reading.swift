// SPDX-License-Identifier: Apache-2.0
public import AdaptyLogger
public import Foundation

extension AdaptyConfiguration.Builder {
    // The values that are set so far.
    public var apiKey: String { build().apiKey }
    public var customerUserId: String? { build().customerUserId }
    public var appAccountToken: UUID? { build().appAccountToken }
    public var observerMode: Bool? { build().observerMode }
    public var idfaCollectionDisabled: Bool? { build().idfaCollectionDisabled }
    public var ipAddressCollectionDisabled: Bool? { build().ipAddressCollectionDisabled }
    public var callbackDispatchQueue: DispatchQueue? { build().callbackDispatchQueue }
    public var serverCluster: AdaptyConfiguration.ServerCluster? { build().serverCluster }
    public var logLevel: AdaptyLog.Level? { build().logLevel }

    // The original's own servers.
    @available(*, unavailable, message: "The server is your own: with(serverURL:), or LandfallServerURL in Info.plist.")
    public func with(backendBaseUrl url: URL) -> Self { self }

    @available(*, unavailable, message: "The server is your own: with(serverURL:), or LandfallServerURL in Info.plist.")
    public func with(backendFallbackBaseUrl url: URL) -> Self { self }

    @available(*, unavailable, message: "The server is your own: with(serverURL:), or LandfallServerURL in Info.plist.")
    public func with(backendConfigsBaseUrl url: URL) -> Self { self }

    @available(*, unavailable, message: "The server is your own: with(serverURL:), or LandfallServerURL in Info.plist.")
    public func with(backendUABaseUrl url: URL) -> Self { self }
}
