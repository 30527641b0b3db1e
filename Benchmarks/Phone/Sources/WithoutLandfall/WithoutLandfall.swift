// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A program without the SDK, to compare its size.
@main
struct WithoutLandfall {
    static func main() async throws {
        guard let server = URL(string: "https://api.example.com") else { return }
        let (data, _) = try await URLSession.shared.data(for: URLRequest(url: server))
        print(String(decoding: data, as: UTF8.self))
    }
}
