// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What every world shows to those whose plan the app has set: a placement of its own, decided by one attribute.
enum VirtualPlan {
    private static let audience = "\naudiences:\n"
    private static let placement = "\nplacements:\n"

    /// - Returns: the configuration with the placement; nil where the text is of another form.
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
