// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

// Completion handlers, and names for Objective-C. Every handler is called once, on the main thread. Nothing is decided here:
// each call forwards to the client.

extension LandfallClient {
    /// As `paywall(for:within:locale:cache:)`.
    public func paywall(
        for placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil,
        completion: @escaping @MainActor @Sendable (Result<PaywallResult, any Error>) -> Void
    ) {
        Task { @MainActor in
            do { completion(.success(try await paywall(for: placement, within: limit, locale: locale))) } catch {
                completion(.failure(error))
            }
        }
    }

    /// As `resolve(_:from:within:)`, with its default limit.
    public func resolve(
        _ url: URL, from origin: LinkOrigin, completion: @escaping @MainActor @Sendable (OpenedLink) -> Void
    ) {
        Task { @MainActor in completion(await resolve(url, from: origin)) }
    }

    /// The earlier name of ``resolve(_:from:completion:)``.
    public func open(_ url: URL, from origin: LinkOrigin, completion: @escaping @MainActor @Sendable (OpenedLink) -> Void) {
        resolve(url, from: origin, completion: completion)
    }

    /// As `identify(_:token:within:)`.
    public func identify(
        _ customerID: String, token: String? = nil, within limit: Duration = .seconds(10),
        completion: @escaping @MainActor @Sendable (Result<Profile, any Error>) -> Void
    ) {
        Task { @MainActor in
            do { completion(.success(try await identify(customerID, token: token, within: limit))) } catch { completion(.failure(error)) }
        }
    }
}

/// A client with Objective-C names.
#if canImport(ObjectiveC)
@objc(LFLandfall) @objcMembers
#endif
public final class LFLandfall: NSObject, Sendable {
    /// The underlying client, for Swift code.
    public let client: LandfallClient

    /// A client with this platform's services. Nothing happens before ``start()``.
    public init(sdkKey: String, server: URL, preparing placements: [String]) {
        client = LandfallClient(sdkKey: sdkKey, server: server, preparing: placements.map { PlacementID($0) })
    }

    /// The same client, for Objective-C code.
    public init(_ client: LandfallClient) { self.client = client }

    /// As `observePurchases()` of the client: before ``start()``.
    public func observePurchases() { client.observePurchases() }

    public func start() { client.start() }

    /// The completion gets a result whose paywall may be nil (show nothing), or an error. The time limit is in seconds, 0 to a
    /// day.
    public func getPaywall(
        _ placement: String, timeLimit: TimeInterval,
        completion: @escaping @MainActor @Sendable (LFPaywallResult?, (any Error)?) -> Void
    ) {
        client.paywall(for: PlacementID(placement), within: Duration(checked: timeLimit)) { result in
            switch result {
            case .success(let result): completion(LFPaywallResult(result), nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Loads these placements' paywalls, so that they are ready when their screens appear.
    public func prepare(_ placements: [String]) { client.prepare(placements.map { PlacementID($0) }) }

    /// What `getPaywall` would return at once, if any stored paywall is good enough; nil if it would wait.
    public func cachedPaywall(_ placement: String) -> LFPaywallResult? {
        client.cachedPaywall(for: PlacementID(placement)).map(LFPaywallResult.init)
    }

    public func recordExposure(of result: LFPaywallResult) { client.recordExposure(of: result.result) }

    /// As `record(_:value:currency:properties:)` of the client; properties are texts here.
    public func record(_ type: String, value: NSDecimalNumber?, currency: String?, properties: [String: String]?) {
        client.record(
            type, value: value?.decimalValue, currency: currency, properties: (properties ?? [:]).mapValues { .string($0) })
    }

    /// - Returns: false if the link is not accepted, as `receive(_:scene:)` of the client says.
    @discardableResult
    public func receive(_ url: URL) -> Bool { client.receive(url) }

    /// The completion gets the link's destination.
    public func open(_ url: URL, completion: @escaping @MainActor @Sendable (URL) -> Void) {
        client.resolve(url, from: .app) { completion($0.resolved) }
    }

    /// The completion gets nil on success. It is called after 10 seconds at the latest.
    public func identify(
        _ customerID: String, token: String?, completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        client.identify(customerID, token: token) { result in
            if case .failure(let error) = result { completion(error) } else { completion(nil) }
        }
    }
}

/// A paywall with Objective-C names.
#if canImport(ObjectiveC)
@objc(LFPaywallResult) @objcMembers
#endif
public final class LFPaywallResult: NSObject, Sendable {
    /// The full result, for Swift code.
    public let result: PaywallResult

    public init(_ result: PaywallResult) { self.result = result }

    /// True: show nothing, and go on as if the user had closed the paywall.
    public var isNothing: Bool { result.paywall == nil }
    public var name: String? { result.paywall?.name.rawValue }
    public var productIDs: [String] { result.paywall?.productIDs ?? [] }
    /// Compact JSON; nil if the paywall has none.
    public var remoteConfigJSON: String? { result.paywall?.remoteConfig?.jsonString }
}
