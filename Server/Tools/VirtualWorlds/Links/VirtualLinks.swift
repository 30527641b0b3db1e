// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Links of the configuration that have ended, and links whose page shows a code.
enum VirtualLinks {
    private static let section = "\nlinks:\n"

    /// - Returns: the configuration with them; nil if the text has another form.
    static func added(to yaml: String, planted: PlantedError? = nil) -> String? {
        guard yaml.contains(section) else { return nil }
        return yaml.replacing(
            section,
            with: section + """
                  - url: https://brandname.go.link/winter
                    to: https://brandname.go.link/summer-clothes?promo=winter
                    expires: \(planted == .endlessLinks ? "2096-12-31" : "2026-12-31")
                  - url: https://brandname.go.link/poster
                    to: https://brandname.go.link/summer-clothes?promo=poster
                    campaign: summer
                    code: true

                """)
    }
}

extension String {
    /// As a person types a code: in groups or not, in upper or lower case.
    func typed(_ dice: Dice) -> String {
        let code = filter { $0.isLetter || $0.isNumber }
        let separator = dice.one(of: ["", " ", "-", "  "])
        let text = code.enumerated().map { ($0 > 0 && $0 % 4 == 0 ? separator : "") + String($1) }.joined()
        return dice.happens(0.5) ? text.lowercased() : text.uppercased()
    }
}
