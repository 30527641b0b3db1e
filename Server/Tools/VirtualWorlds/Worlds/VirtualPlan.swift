// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The placement for people whose plan the app has set: one attribute decides its paywall.
enum VirtualPlan {
    private static let audience = "\naudiences:\n"
    private static let placement = "\nplacements:\n"

    /// - Returns: the configuration with the placement; nil if the text has another form.
    static func added(to yaml: String) -> String? {
        guard yaml.contains(audience), yaml.contains(placement), yaml.contains("\n  plan: string\n") else { return nil }
        return
            yaml
            .replacing(audience, with: audience + "  pro:\n    attributes.plan: { is: pro }\n")
            .replacing(
                placement,
                with: placement + "  settings:\n    - { audience: pro, paywall: summer }\n"
                    + "    - { audience: everyone, paywall: default }\n")
    }
}
