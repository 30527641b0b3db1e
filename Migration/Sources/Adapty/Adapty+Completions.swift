// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Called when a call is over, on the main thread or on the configuration's queue; nil means that it succeeded.
public typealias AdaptyErrorCompletion = @Sendable (AdaptyError?) -> Void
public typealias AdaptyResult<Success> = Result<Success, AdaptyError>
/// Gets the result of a call, on the main thread or on the configuration's queue.
public typealias AdaptyResultCompletion<Success> = @Sendable (AdaptyResult<Success>) -> Void

// Every asynchronous call once more with a completion handler, for code that is not asynchronous.
extension Adapty {
    public static func activate(
        _ apiKey: String, observerMode: Bool = false, customerUserId: String? = nil, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await activate(apiKey, observerMode: observerMode, customerUserId: customerUserId) }
    }

    public static func activate(with configuration: AdaptyConfiguration, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await activate(with: configuration) }
    }

    public static func getProfile(_ completion: @escaping AdaptyResultCompletion<AdaptyProfile>) {
        answer(completion) { try await getProfile() }
    }

    public static func updateProfile(params: AdaptyProfileParameters, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await updateProfile(params: params) }
    }

    public static func activate(with builder: AdaptyConfiguration.Builder, _ completion: AdaptyErrorCompletion? = nil) {
        activate(with: builder.build(), completion)
    }

    public static func identify(
        _ customerUserId: String, withAppAccountToken token: UUID? = nil, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await identify(customerUserId, withAppAccountToken: token) }
    }

    public static func logout(_ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await logout() }
    }

    public static func updateAttribution(
        _ attribution: [AnyHashable: Any], source: String, _ completion: AdaptyErrorCompletion? = nil
    ) {
        // Read here: the dictionary is the caller's and cannot leave this thread.
        let claim = ProviderClaim(attribution, source: source)
        answer(completion) { try await Activation.current.report(claim) }
    }

    public static func updateAttribution(
        _ attributionJson: String, source: String, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await updateAttribution(attributionJson, source: source) }
    }

    public static func setIntegrationIdentifier(key: String, value: String, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await setIntegrationIdentifier(key: key, value: value) }
    }

    public static func getPaywall(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        loadTimeout: TimeInterval? = nil, _ completion: @escaping AdaptyResultCompletion<AdaptyPaywall>
    ) {
        answer(completion) {
            try await getPaywall(placementId: placementId, locale: locale, fetchPolicy: fetchPolicy, loadTimeout: loadTimeout)
        }
    }

    public static func getPaywallForDefaultAudience(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        _ completion: @escaping AdaptyResultCompletion<AdaptyPaywall>
    ) {
        answer(completion) {
            try await getPaywallForDefaultAudience(placementId: placementId, locale: locale, fetchPolicy: fetchPolicy)
        }
    }

    public static func setFallback(fileURL: URL, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await setFallback(fileURL: fileURL) }
    }

    public static func logShowPaywall(_ paywall: AdaptyPaywall, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await logShowPaywall(paywall) }
    }

    /// Nothing keeps the task: each call has a time limit and ends by itself.
    package static func answer<Success: Sendable>(
        _ completion: @escaping AdaptyResultCompletion<Success>,
        _ call: @escaping @Sendable () async throws -> Success
    ) {
        Task {
            let result: AdaptyResult<Success>
            do { result = .success(try await call()) } catch { result = .failure(AdaptyError(translated: error)) }
            Activation.current.callbackQueue.async { completion(result) }
        }
    }

    package static func answer(_ completion: AdaptyErrorCompletion?, _ call: @escaping @Sendable () async throws -> Void) {
        answer({ (result: AdaptyResult<Void>) in completion?(result.error) }, call)
    }
}
