// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// A redirect without what is each answer's own, as fields for the application and as the bytes that a connection sends itself.
struct RedirectHead: Sendable {
    let fields: HTTPFields
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
