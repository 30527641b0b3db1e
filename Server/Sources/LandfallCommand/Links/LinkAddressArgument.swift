// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer
import LandfallWire

/// A link that is there, as people write it: `https://links.example.com/beach`, or without `https://`.
struct LinkAddressArgument: ExpressibleByArgument {
    let place: LinkPlace

    init?(argument text: String) {
        guard let place = LinkPlace(url: text.contains("://") ? text : "https://" + text), place.path.text != "/" else { return nil }
        self.place = place
    }

    var url: String { place.url }

    /// Of the API.
    private var target: String { "/v1/links/\(place.host)\(place.path.text)" }

    func read(_ reach: Reach) async throws -> LinkDocument {
        try WireCoding.decode(LinkDocument.self, from: Data(try await reach.call(BackendCall("GET", target))))
    }

    /// - Parameter etag: of the link as it was read; a link that somebody has changed since then is not changed.
    func change(_ fields: [String: JSONValue], of etag: String, _ reach: Reach) async throws -> LinkDocument {
        var call = try BackendCall("PATCH", target, json: fields)
        call.fields["If-Match"] = "\"\(etag)\""
        return try WireCoding.decode(LinkDocument.self, from: Data(try await reach.call(call)))
    }

    /// - Returns: false if there was no such link.
    func remove(_ reach: Reach) async throws -> Bool {
        struct Removed: Decodable { let removed: Bool }
        return try WireCoding.decode(Removed.self, from: Data(try await reach.call(BackendCall("DELETE", target)))).removed
    }
}
