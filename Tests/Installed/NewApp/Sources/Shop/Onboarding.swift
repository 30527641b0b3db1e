// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// The first screen of a new app.
@MainActor
public final class Onboarding {
    private let landfall: LandfallClient
    public private(set) var offer = "…"

    public init(landfall: LandfallClient) { self.landfall = landfall }

    public func load() async throws {
        landfall.start()
        let result = try await landfall.paywall(for: "onboarding", within: .seconds(5))
        offer = result.paywall?.name.rawValue ?? "nothing"
        landfall.recordExposure(of: result)
    }
}
