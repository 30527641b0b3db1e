// SPDX-License-Identifier: Apache-2.0
import LandfallNode

/// The configurations of a run, each read once.
struct VirtualServings: Sendable {
    private let plain: InProcessNode.Serving
    /// With an experiment; nil if the configuration has no place for one.
    private let experiment: InProcessNode.Serving?
    private let webhooks: InProcessNode.Serving?
    private let both: InProcessNode.Serving?

    /// - Throws: every problem of the configuration.
    init(yaml: String) throws {
        plain = try InProcessNode.Serving(yaml: yaml)
        let withExperiment = VirtualExperiment.added(to: yaml)
        experiment = withExperiment.flatMap { try? InProcessNode.Serving(yaml: $0) }
        webhooks = Self.told(yaml)
        both = withExperiment.flatMap { Self.told($0) }
    }

    private static func told(_ yaml: String) -> InProcessNode.Serving? {
        let secret = VirtualReceiver.secret
        return VirtualReceiver.added(to: yaml).flatMap { try? InProcessNode.Serving(yaml: $0, environment: [secret.name: secret.value]) }
    }

    /// Whether the configuration has a place for an endpoint.
    var canTell: Bool { webhooks != nil }

    func serving(hasExperiment: Bool, hasWebhooks: Bool) -> InProcessNode.Serving {
        let fitting = hasWebhooks ? (hasExperiment ? both ?? webhooks : webhooks) : hasExperiment ? experiment : nil
        return fitting ?? plain
    }
}
