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

    /// The work of an app after activation, once.
    @MainActor
    func listen() {
        switch self {
        case .nonisolated: Adapty.delegate = DocumentedSample.ProfileObserver.shared
        case .onMainActor: Adapty.delegate = DocumentedSampleOnMainActor.ProfileObserver.shared
        }
    }

    /// The work of a splash screen.
    @MainActor
    func getPaywallOrDefault(placementId: String, timeout: TimeInterval) async throws -> AdaptyPaywall {
        switch self {
        case .nonisolated:
            try await DocumentedSample.PaywallLoader.getPaywallOrDefault(placementId: placementId, timeout: timeout)
        case .onMainActor:
            try await DocumentedSampleOnMainActor.PaywallLoader.getPaywallOrDefault(placementId: placementId, timeout: timeout)
        }
    }
}
