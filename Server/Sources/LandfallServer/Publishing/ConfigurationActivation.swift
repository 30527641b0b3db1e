// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Logging

/// Gives a version to the parts of this node: the version answers the next request, and held answers that it concerns look again.
package struct ConfigurationActivation: Sendable, Redacted {
    package let live: LiveConfiguration
    package let holds: HeldAnswers
    package let telemetry: ConfigurationTelemetry

    package init(live: LiveConfiguration, holds: HeldAnswers, telemetry: ConfigurationTelemetry) {
        (self.live, self.holds, self.telemetry) = (live, holds, telemetry)
    }

    /// - Throws: an error if the configuration is for another app than the served one.
    func check(_ app: App) throws(AppChange) {
        let served = live.snapshot.app.id
        guard app.id == served else { throw AppChange(served: served, published: app.id) }
    }

    func serve(_ snapshot: Snapshot, _ logger: Logger) {
        let number = snapshot.revision
        guard let before = live.serve(snapshot) else {
            telemetry.ended(.unchanged)
            logger.notice("The configuration is the one that is served.", metadata: ["configuration.version": "\(number)"])
            return
        }
        let difference = ConfigurationDifference(from: before.configuration, to: snapshot.configuration)
        holds.changed(difference.placements)
        telemetry.ended(.published)
        var metadata = difference.metadata
        metadata["configuration.version"] = "\(number)"
        logger.notice("A new version of the configuration is served.", metadata: metadata)
    }
}

extension ConfigurationDifference {
    fileprivate var metadata: Logger.Metadata {
        Dictionary(
            counts.filter { $0.count > 0 }.map { ("\($0.kind).changed", "\($0.count)") }, uniquingKeysWith: { first, _ in first })
    }
}
