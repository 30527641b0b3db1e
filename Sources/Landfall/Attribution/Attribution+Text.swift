// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Attribution: CustomStringConvertible {
    /// One line for people, for example `attributed by apple_search_ads: campaign "summer", ad group "shoes" (test)`. The words may change:
    /// an app compares values.
    public var description: String {
        switch self {
        case .pending: "pending"
        case .attributed(let details): "attributed by \(details)"
        case .notAttributed: "not attributed (organic)"
        case .unavailable(let reason): "unavailable (\(reason))"
        }
    }
}

extension AttributionDetails: CustomStringConvertible {
    /// One line for people: the source and its names, without dates.
    public var description: String {
        let texts = [
            ("channel", channel), ("campaign", campaign), ("ad group", adGroup), ("ad set", adSet), ("creative", creative),
            ("link", link?.code ?? link?.tracker), ("label", link?.label),
        ]
        let numbers = [
            ("campaign", campaign == nil ? appleAds?.campaignID : nil),
            ("ad group", adGroup == nil ? appleAds?.adGroupID : nil),
            ("keyword", appleAds?.keywordID), ("ad", appleAds?.adID),
        ]
        let parts =
            texts.compactMap { name, text in text.map { "\(name) \"\($0.inOneLine)\"" } }
            + numbers.compactMap { name, number in number.map { "\(name) \($0)" } }
        let notes = [isVerified ? nil : "not verified", isTest ? "test" : nil].compactMap { $0 }
        return "\(source)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension String {
    /// Line breaks and other signs that are no text become spaces.
    fileprivate var inOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension LandfallWire.Attribution {
    var inWords: String { Attribution(self).inWords }
}

extension Attribution {
    var inWords: String {
        switch self {
        case .pending: "pending"
        case .attributed(let details): "attributed by \(details.source)"
        case .notAttributed: "not attributed (organic)"
        case .unavailable(let reason): "unavailable (\(reason))"
        }
    }
}
