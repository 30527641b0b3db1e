// SPDX-License-Identifier: Apache-2.0
import Adapty
@testable import DocumentedSample
@testable import DocumentedSampleOnMainActor

/// The same sample, compiled in the two ways in which projects compile.
enum Sample {
    case nonisolated, onMainActor

    /// Why it is not there; nil: it is.
    var absence: String? {
        switch self {
        case .nonisolated: DocumentedSample.sampleIsAbsentBecause
        case .onMainActor: DocumentedSampleOnMainActor.sampleIsAbsentBecause
        }
    }

    /// What the app shows, by the document's lines.
    @MainActor
    func paywall(_ order: LaunchOrder) async throws -> AdaptyPaywall {
        switch order.flow {
        case .loader:
            wire()
            return try await getPaywallOrDefault(placementId: order.placement, timeout: order.timeout)
        case .splash:
            wire()
            return try await splash()
        case .delegate: return try await askedByDelegate(order.placement)
        case .timer: return try await askedByDelegate(order.placement, orAfter: order.timeout)
        }
    }

    /// The work of an app after activation, once.
    @MainActor
    private func wire() {
        switch self {
        case .nonisolated: DocumentedSample.wireObserver()
        case .onMainActor: DocumentedSampleOnMainActor.wireObserver()
        }
    }

    /// The work of a splash screen.
    @MainActor
    private func getPaywallOrDefault(placementId: String, timeout: TimeInterval) async throws -> AdaptyPaywall {
        switch self {
        case .nonisolated:
            try await DocumentedSample.PaywallLoader.getPaywallOrDefault(placementId: placementId, timeout: timeout)
        case .onMainActor:
            try await DocumentedSampleOnMainActor.PaywallLoader.getPaywallOrDefault(placementId: placementId, timeout: timeout)
        }
    }

    @MainActor
    private func splash() async throws -> AdaptyPaywall {
        var result: Result<AdaptyPaywall, any Error> = .failure(NothingShown())
        switch self {
        case .nonisolated:
            await DocumentedSample.splash(present: { result = .success($0) }, handle: { result = .failure($0) })
        case .onMainActor:
            await DocumentedSampleOnMainActor.splash(present: { result = .success($0) }, handle: { result = .failure($0) })
        }
        return try result.get()
    }

    /// Nothing but ``Adapty/delegate`` holds the delegate.
    /// - Parameter timer: the document describes it in words: when it ends first, the app requests the paywall anyway.
    @MainActor
    private func askedByDelegate(_ placementId: String, orAfter timer: TimeInterval? = nil) async throws -> AdaptyPaywall {
        let (paywalls, arrival) = AsyncStream.makeStream(of: AdaptyPaywall?.self)
        let loaded: @Sendable (AdaptyPaywall?) -> Void = { arrival.yield($0) }
        switch self {
        case .nonisolated:
            Adapty.delegate = DocumentedSample.YourAdaptyDelegateImpl(placementId: placementId, loaded: loaded)
        case .onMainActor:
            Adapty.delegate = DocumentedSampleOnMainActor.YourAdaptyDelegateImpl(placementId: placementId, loaded: loaded)
        }
        let timing = timer.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                loaded(try? await Adapty.getPaywall(placementId: placementId))
            }
        }
        defer { timing?.cancel() }
        for await paywall in paywalls {
            if let paywall { return paywall }
            break
        }
        throw NothingShown()
    }
}

struct NothingShown: Error {}
