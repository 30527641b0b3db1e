// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// The experiment of some worlds: everyone whom no audience matches at the onboarding is in it.
enum VirtualExperiment {
    static let names: [ExperimentID] = ["price"]

    private static let entry = "- audience: everyone\n      paywall: default\n"

    /// Both variations show the default paywall: the other guarantees compare the names of paywalls.
    private static let section = """

        experiments:
          price:
            state: live
            variations:
              A: { weight: 50, paywall: default }
              B: { weight: 50, paywall: default, remoteConfig: { en: { title: Half price } } }

        """

    /// - Returns: the configuration with the experiment in its first placement; nil if the text has another form.
    static func added(to yaml: String) -> String? {
        guard !yaml.contains("\nexperiments:"), let found = yaml.range(of: entry) else { return nil }
        return yaml.replacingCharacters(in: found, with: "- { audience: everyone, experiment: price }\n") + section
    }
}
