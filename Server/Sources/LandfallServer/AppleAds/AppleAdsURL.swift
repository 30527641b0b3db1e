// SPDX-License-Identifier: Apache-2.0
import Foundation
package import ServiceLifecycle

/// The configured address of Apple's service cannot be used.
struct AppleAdsURLError: Error, Hashable, CustomStringConvertible {
    let url: String

    #if HTTPS
    private static let usable = "Use https, or http to 127.0.0.1, ::1 or localhost."
    #else
    private static let usable = """
        This build speaks no https: use http to 127.0.0.1, ::1 or localhost, or build with: \
        swift build --package-path Server -c release --product landfall
        """
    #endif

    var description: String { "'\(url)' is not an address for Apple Ads. \(Self.usable)" }
}

package enum LiveAppleAdsService {
    /// A client for Apple's service, or for a simulated one, as far as this build supports the address.
    package static func make(url: String) throws -> any AppleAdsService & Service {
        #if HTTPS
        try HTTPAppleAdsService(url: url)
        #else
        try LocalAppleAdsService(url: url)
        #endif
    }
}
