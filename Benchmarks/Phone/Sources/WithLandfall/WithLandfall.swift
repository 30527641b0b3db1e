// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The same program with the SDK.
@main
struct WithLandfall {
    static func main() async throws {
        guard let server = URL(string: "https://api.example.com") else { return }
        let landfall = LandfallClient(LandfallConfiguration(sdkKey: "pk_demo", server: server, preparing: ["onboarding"]))
        landfall.start()
        landfall.receive(server)
        let shown = try await landfall.paywall(for: "onboarding", within: .seconds(5))
        print(shown)
        let (data, _) = try await URLSession.shared.data(for: URLRequest(url: server))
        print(String(decoding: data, as: UTF8.self))
    }
}
