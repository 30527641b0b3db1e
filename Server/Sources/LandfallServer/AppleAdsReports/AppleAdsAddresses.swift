// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where the Apple Ads Platform API is, and where its tokens come from.
package struct AppleAdsAddresses: Hashable, Sendable {
    /// Without a slash at the end.
    let api: String
    let token: String
    /// To whom a client secret is addressed.
    let audience = "https://appleid.apple.com"

    package static let apple = AppleAdsAddresses(api: "https://api.ads.apple.com/v1", token: "https://appleid.apple.com/auth/oauth2/token")

    private init(api: String, token: String) { (self.api, self.token) = (api, token) }

    /// - Parameter base: of a simulated Apple Ads: https, or http to this machine.
    /// - Throws: ``UnusableAppleAdsAddress``
    package init(base: String) throws {
        guard let host = URL.base(base) else { throw UnusableAppleAdsAddress(url: base) }
        self.init(api: host + "/v1", token: host + "/auth/oauth2/token")
    }
}

struct UnusableAppleAdsAddress: Error, Hashable, CustomStringConvertible {
    let url: String

    var description: String { "--apple-ads-api is '\(url)', which cannot be asked. Write an https address, or http to this machine, without '?' and '#'." }
}
