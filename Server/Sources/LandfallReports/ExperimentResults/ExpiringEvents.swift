// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallServer

extension ExperimentRoutes {
    /// What a reader has to know if the experiment is longer than events are kept. Units stay as long as their installs, but what they did
    /// is deleted after `retention.eventDays`: an old unit then looks like one that did nothing.
    /// - Returns: nil while the longest window of the first unit ends before that.
    func expiry(
        of experiment: ResultsExperiment, _ basis: ExperimentNumbers.Basis, in snapshot: Snapshot
    ) async throws -> ExperimentNote? {
        let windows = experiment.metrics.compactMap { $0 }.filter { $0.event != nil }.map(\.windowMs)
        let epochs = try await StoredEpoch.all(of: experiment.name, in: snapshot.app.id, database)
        let arms = ExperimentArms(database: database, app: snapshot.app.id, experiment.counted(epochs))
        guard let windowMs = windows.max(), let firstMs = try await arms.firstExposureMs(basis),
            time.nowMs() - firstMs > snapshot.retention.eventMs - windowMs
        else { return nil }
        return .expiring(eventDays: snapshot.retention.eventDays)
    }
}
