// SPDX-License-Identifier: Apache-2.0
import Logging

/// Hands a version to what this node serves: the next request is answered by it, and held answers that it concerns look again.
struct ConfigurationServing: Sendable, Discreet {
    let live: LiveConfiguration
    let holds: Holds
    let telemetry: ConfigurationTelemetry

    func serve(_ configuration: Configuration, _ number: Int64, _ logger: Logger) {
        let snapshot = Snapshot(configuration, revision: number)
        guard let before = live.serve(snapshot) else {
            telemetry.ended(.unchanged)
            logger.notice("The configuration is the one that is served.", metadata: ["configuration.version": "\(number)"])
            return
        }
        let difference = ConfigurationDifference(from: before.configuration, to: configuration)
        holds.changed(difference.placements)
        telemetry.ended(.published)
        var metadata = difference.metadata
        metadata["configuration.version"] = "\(number)"
        logger.notice("A new version of the configuration is served.", metadata: metadata)
    }
}
