// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The parameters of the App Store's address. What a link leaves out is its domain's, then the app's.
package struct StorePage: Hashable, Sendable, Codable {
    /// The id of a custom product page of App Store Connect.
    package var ppid: String?
    /// The number of the provider in App Store Connect.
    package var pt: String?
    /// The campaign in App Store Connect.
    package var ct: String?

    package init(ppid: String? = nil, pt: String? = nil, ct: String? = nil) {
        (self.ppid, self.pt, self.ct) = (ppid, pt, ct)
    }
}

extension LinkRules {
    package static let mostPageID = 64
    package static let mostProvider = 20

    package static func ppid(_ text: String) throws(LinkRefusal) -> String {
        let isID = (1...mostPageID).contains(text.utf8.count) && text.allSatisfy { $0.isASCIIWord && $0 != "_" || $0 == "-" }
        guard isID else {
            throw .invalid("'ppid' cannot be '\(text.shortened)'. Write what stands behind 'ppid=' in the address of the product page.")
        }
        return text
    }

    package static func pt(_ text: String) throws(LinkRefusal) -> String {
        guard (1...mostProvider).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .invalid("'pt' cannot be '\(text.shortened)'. Write the digits after 'pt=' in a campaign link of App Store Connect.")
        }
        return text
    }

    package static func ct(_ text: String) throws(LinkRefusal) -> String {
        guard StorePage.campaign(text) == text else {
            throw .invalid(
                "'ct' cannot be '\(text.shortened)'. Apple takes 1 to \(Limits.appStoreCampaign) ASCII letters, digits, signs without ^ and `, and spaces inside."
            )
        }
        return text
    }
}

extension StorePage {
    /// A text as a campaign that App Store Connect counts: at most 40 bytes, `_` in place of what Apple does not take.
    /// - Returns: nil if Apple takes nothing of it.
    package static func campaign(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: { isTaken($0) && $0 != " " }) else { return nil }
        let kept = text.unicodeScalars.map { isTaken($0) ? $0 : "_" }
        let start = kept.drop { $0 == " " }.prefix(Limits.appStoreCampaign)
        guard let end = start.lastIndex(where: { $0 != " " }) else { return nil }
        return String(String.UnicodeScalarView(start[...end]))
    }

    /// Apple's alphabet is printable ASCII without these two.
    private static func isTaken(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && scalar != "^" && scalar != "`"
    }
}
