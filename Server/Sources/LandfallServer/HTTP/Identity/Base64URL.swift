// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension Data {
    /// Base64 with the alphabet of URLs and without padding (RFC 4648).
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
