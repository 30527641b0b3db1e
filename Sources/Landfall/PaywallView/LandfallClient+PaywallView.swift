// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LandfallClient {
    /// For LandfallApple: a view shows this paywall, and could not use some values of its remote config. Logged once in a launch, and
    /// part of ``explain()``.
    package func reportUnusable(_ content: PaywallContent, in shown: PaywallResult) {
        guard let name = shown.paywall?.name, let trap = SetupTrap.unusable(content, in: name) else { return }
        launch.change { $0.report(trap) }
    }
}

extension SetupTrap {
    /// So many problems are named; the console's page of the paywall has all.
    private static let mostProblems = 5

    /// Nil if everything could be used.
    static func unusable(_ content: PaywallContent, in paywall: PaywallID) -> SetupTrap? {
        let problems = content.problems
        guard !problems.isEmpty else { return nil }
        let named = problems.prefix(mostProblems).map(\.description).joined(separator: "; ")
        let others = problems.count > mostProblems ? "; and \(problems.count - mostProblems) more" : ""
        return SetupTrap(
            message: "The remote config of the paywall '\(paywall)' in '\(content.locale)' has values that LandfallPaywallView does not use, "
                + "so it shows its defaults: \(named)\(others). Correct them in landfall.yaml: docs/features/paywall-view.md has every key.")
    }
}
