// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

extension BackendCall {
    /// A path with its query; what is nil is left out.
    static func target(_ path: String, _ query: [(String, String?)]) -> String {
        var parts = URLComponents()
        parts.path = path
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !items.isEmpty {
            parts.queryItems = items
            // Forms write a space as a plus sign, so a plus sign is written as its code.
            parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
        }
        return parts.string ?? path
    }
}
