// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The rules for the fields of a link, in landfall.yaml and in a call. Each refusal tells what is wrong and what to do.
enum LinkRules {
    static let mostWays = 10
    /// When a link may end, in Unix milliseconds: from 1970 to the end of the year 9999, as in the file.
    static let ends: ClosedRange<Int64> = 0...Instant.latestMs

    /// For a stored link, which may end at any time: it may be older than the rule.
    static func nearestEnd(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, ends.lowerBound), ends.upperBound) }

    static func address(_ text: String, _ field: String) throws(LinkRefusal) -> LinkAddress {
        guard text.utf8.count <= Limits.address else {
            throw .invalid("\(field) is longer than \(Limits.address) bytes. Shorten it.")
        }
        do { return try LinkAddress(text) } catch { throw .invalid("\(field) cannot be '\(text.shortened)'. \(error)") }
    }

    /// The destination of a link.
    /// - Parameter isTrusted: its maker may lead people to any https address. A link in the file leads into the app.
    static func destination(_ text: String, of domains: LinkDomains, isTrusted: Bool) throws(LinkRefusal) -> String {
        let link = try address(text, "'to'")
        let isOwn = domains.owns(link) && link.scheme != "http"
        if isOwn || isTrusted && link.scheme == "https" { return link.text }
        throw .invalid(
            isTrusted
                ? "'to' is https, or the app's own scheme. Correct it."
                : "A link leads to https on one of the app's domains, or to the app's scheme. Correct it, or extend 'domains'.")
    }

    /// Refuses the paths that the server reserves on every host.
    static func free(_ path: LinkPath) throws(LinkRefusal) -> LinkPath {
        guard !path.isReserved else {
            throw .taken("'\(path.text.shortened)' is a path that the server keeps for itself. Choose another.")
        }
        return path
    }

    static func way(_ text: String, _ field: String) throws(LinkRefusal) -> LinkWay {
        let way = LinkWay(text)
        if case .web = way {
            guard text.utf8.count <= Limits.address, let link = try? LinkAddress(text), link.scheme == "https" else {
                throw .invalid("\(field) cannot be '\(text.shortened)'. Write app, store, page, web or an https address.")
            }
        }
        return way
    }

    static func image(_ text: String, _ field: String) throws(LinkRefusal) -> String {
        let link = try address(text, field)
        guard link.scheme == "https" else {
            throw .invalid("\(field) is not https, so messengers would not show it. Write an https address.")
        }
        return link.text
    }
}

/// Why a link cannot be made.
struct LinkRefusal: Error, Hashable, Refusal {
    let code: ErrorCode
    let description: String
    /// The field of the wish that is refused; nil if it is none in particular.
    var field: String?

    /// The same refusal of a field.
    func at(_ field: String) -> LinkRefusal {
        var refusal = self
        refusal.field = refusal.field ?? field
        return refusal
    }

    static func invalid(_ text: String) -> LinkRefusal { LinkRefusal(code: .invalidLink, description: text) }
    static func taken(_ text: String) -> LinkRefusal { LinkRefusal(code: .linkTaken, description: text) }
}
