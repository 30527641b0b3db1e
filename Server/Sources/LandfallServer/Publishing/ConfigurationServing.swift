// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Logging

/// Gives a version to the parts of this node: the version answers the next request, and held answers that it concerns look again.
struct ConfigurationServing: Sendable, Discreet {
    let live: LiveConfiguration
    let holds: Holds
    let telemetry: ConfigurationTelemetry

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

/// A running node serves one app: everything that it stores and holds belongs to that app.
struct AppChange: Error, Hashable, CustomStringConvertible {
    let served: AppID
    let published: AppID

    var description: String {
        "The app is '\(served.rawValue)', and the new configuration is for '\(published.rawValue)'. Restart the server with it."
    }
}
