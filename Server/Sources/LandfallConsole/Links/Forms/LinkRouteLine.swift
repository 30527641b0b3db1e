// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// A rule of a link as one line: `DE, AT android https://example.com/de`.
extension NewLink.Route {
    var line: String {
        [country?.joined(separator: ", "), platform?.joined(separator: ", "), to].compactMap { $0 }.joined(separator: " ")
    }

    /// The address is the last word. Other words are platforms or countries; whether there are such countries is not checked here.
    /// - Returns: nil for a line without a word.
    init?(line: Substring) {
        var words = line.split(whereSeparator: \.isWhitespace)
        guard let address = words.popLast() else { return nil }
        let names = words.flatMap { $0.split(separator: ",") }.map { String($0) }
        let known = Set(LinkRules.routedPlatforms.map(\.rawValue))
        let platforms = names.map { $0.lowercased() }.filter { known.contains($0) }
        let countries = names.filter { !known.contains($0.lowercased()) }
        self.init(country: countries.isEmpty ? nil : countries, platform: platforms.isEmpty ? nil : platforms, to: String(address))
    }
}
