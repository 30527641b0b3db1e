// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallCommand

@Suite("The address of Apple's service", .timeLimit(.minutes(1)))
struct AppleAdsAddressTests {
    @Test(
        "gets Apple's path if it has none, and otherwise stays unchanged",
        arguments: [
            ("http://127.0.0.1:8090", "http://127.0.0.1:8090/api/v1/"),
            ("http://127.0.0.1:8090/", "http://127.0.0.1:8090/api/v1/"),
            ("http://[::1]:8090", "http://[::1]:8090/api/v1/"),
            ("https://example.com/other", "https://example.com/other"),
            ("https://api-adservices.apple.com/api/v1/", "https://api-adservices.apple.com/api/v1/"),
            ("not an address", "not an address"),
        ]
    )
    func complete(given: String, expected: String) {
        #expect(AppleAdsAddress.complete(given) == expected)
    }
}
