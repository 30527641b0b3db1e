// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// A redirect without the fields that differ between answers: as fields for the application, and as bytes for the connection's
/// own answers.
package struct RedirectHead: Sendable {
    package let fields: HTTPFields
    let answer: PreparedAnswer

    init(to address: String) {
        var fields = LinkPage.securityHeaders
        fields[.location] = address.asciiOnly
        answer = PreparedAnswer(.found, fields)
        fields[.contentLength] = "0"
        fields[.landfallVersion] = LandfallVersion.current
        self.fields = fields
    }
}
