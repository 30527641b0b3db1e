// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// The states in which a call is wanted: `If-Match: "a", "b"`, or `*` for any state of a thing that is there.
struct IfMatch {
    let field: String

    /// A weak tag (`W/"a"`) matches nothing. Quotes may be left out.
    func matches(_ mark: String) -> Bool {
        field.split(separator: ",").contains { tag in
            let tag = tag.drop { $0 == " " || $0 == "\t" }
            let text = tag.prefix { $0 != " " && $0 != "\t" }
            return text == "*" || text == mark || text == "\"\(mark)\""
        }
    }
}

extension IfMatch {
    /// Nil without the header.
    init?(_ request: Request) {
        guard let field = request.headers[.ifMatch] else { return nil }
        self.init(field: field)
    }
}
