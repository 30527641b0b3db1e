// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// The epochs of a configuration's experiments. A change of weights or variations of a live experiment opens the next one: units
/// that are drawn from then on use the new weights, and stored units keep what they have.
package struct ExperimentEpochs: Sendable {
    /// An epoch as the store has it.
    struct Stored: Hashable, Sendable {
        let epoch: Int64
        let weights: String
        /// The version that opened it.
        var revision: Int64 = 0
    }

    /// What units of an epoch see. A change of it while the experiment is live opens the next epoch.
    package struct Shown: Sendable {
        let epoch: Int64
        let variations: [Variation]
    }

    package let app: AppID
    /// The experiments of the version that is published.
    package let experiments: [Experiment]
    /// False if the text is the newest version already: it opens no epoch but the first one of an experiment.
    var isNew = true
    /// What units of the newest epochs see, as far as it is known.
    var shown: [ExperimentID: Shown] = [:]

    package init(app: AppID, experiments: [Experiment], isNew: Bool = true, shown: [ExperimentID: Shown] = [:]) {
        (self.app, self.experiments, self.isNew, self.shown) = (app, experiments, isNew, shown)
    }

    static func weights(of experiment: Experiment) -> String {
        let listed = experiment.variations.map { variation in
            JSONValue.array([.string(variation.name.rawValue), .integer(variation.weight)])
        }
        return (try? WireCoding.encode(JSONValue.array(listed))).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// The epoch that a live experiment has from now on.
    /// - Throws: ``EpochIsLower``.
    func next(_ experiment: Experiment, after last: Stored?) throws(EpochIsLower) -> Int64 {
        guard let last else { return experiment.epoch ?? 1 }
        if let epoch = experiment.epoch, epoch != last.epoch {
            guard epoch > last.epoch else { throw EpochIsLower(experiment: experiment.id, epoch: epoch, stored: last.epoch) }
            return epoch
        }
        let old = shown[experiment.id].flatMap { $0.epoch == last.epoch ? $0.variations : nil }
        let areSame = old.map { zip($0, experiment.variations).allSatisfy { $0.showsTheSame(as: $1) } } ?? true
        return last.weights == Self.weights(of: experiment) && areSame ? last.epoch : last.epoch + 1
    }

    /// An epoch that begins with a version.
    struct Begun: Hashable, Sendable {
        let experiment: ExperimentID
        /// Nil for the first.
        let before: Int64?
        let epoch: Int64
        let weights: String
        /// The epoch in the file if it differs; it was the current one until now.
        let isUnwritten: Bool
    }

    /// - Throws: ``EpochIsLower``.
    func openings(_ connection: any ReadConnection) throws -> [Begun] {
        try experiments.filter { $0.state == .live }.compactMap { experiment in
            let last = try Self.last(of: experiment.id, in: app, connection)
            guard isNew || last == nil else { return nil }
            let epoch = try next(experiment, after: last)
            guard epoch != last?.epoch else { return nil }
            return Begun(
                experiment: experiment.id, before: last?.epoch, epoch: epoch, weights: Self.weights(of: experiment),
                isUnwritten: experiment.epoch.map { $0 != epoch } ?? false)
        }
    }

    /// Opens the epochs that a version opens, inside the transaction that stores the version.
    /// - Parameter isNew: found in that transaction, because another node may just have published the same text.
    package func open(revision: Int64, isNew: Bool = true, nowMs: Int64, _ connection: any WriteConnection) throws {
        var epochs = self
        epochs.isNew = isNew
        for opening in try epochs.openings(connection) {
            try connection.run(
                """
                INSERT INTO experiment_epoch (app_id, experiment, epoch, started_at_ms, revision, weights)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [
                    .text(app.rawValue), .text(opening.experiment.rawValue), .integer(opening.epoch), .integer(nowMs),
                    .integer(revision), .text(opening.weights),
                ])
        }
    }

    static func last(of experiment: ExperimentID, in app: AppID, _ connection: any ReadConnection) throws -> Stored? {
        try connection.row(
            "SELECT epoch, weights, revision FROM experiment_epoch WHERE app_id = $1 AND experiment = $2 ORDER BY epoch DESC LIMIT 1",
            [.text(app.rawValue), .text(experiment.rawValue)]
        ).map { Stored(epoch: try $0.integer(0), weights: try $0.text(1), revision: try $0.integer(2)) }
    }

    static func weights(
        of experiment: ExperimentID, epoch: Int64, in app: AppID, _ connection: any ReadConnection
    ) throws -> String? {
        try connection.row(
            "SELECT weights FROM experiment_epoch WHERE app_id = $1 AND experiment = $2 AND epoch = $3",
            [.text(app.rawValue), .text(experiment.rawValue), .integer(epoch)])?.text(0)
    }

    /// The epochs that were the newest when that version was published.
    static func counted(in app: AppID, at revision: Int64, _ connection: any ReadConnection) throws -> [ExperimentID: Int64] {
        let rows = try connection.rows(
            "SELECT experiment, MAX(epoch) AS epoch FROM experiment_epoch WHERE app_id = $1 AND revision <= $2 GROUP BY experiment",
            [.text(app.rawValue), .integer(revision)])
        return try rows.reduce(into: [:]) { epochs, row in epochs[ExperimentID(try row.text(0))] = try row.integer(1) }
    }
}

/// The file is older than the newest epoch: its draws would be those of an earlier epoch.
struct EpochIsLower: Error, Hashable, CustomStringConvertible {
    let experiment: ExperimentID
    let epoch: Int64
    let stored: Int64

    var description: String {
        "The experiment '\(experiment.rawValue)' is in epoch \(stored) already, and the file says \(epoch). Write 'epoch: \(stored)', or leave it out: then the server counts."
    }
}

extension ExperimentEpochs.Begun {
    /// What to say to the author of the version; nil for an experiment that begins.
    var sentence: String? {
        guard let before else { return nil }
        let begins = "The experiment '\(experiment.rawValue)' begins epoch \(epoch): new units are drawn anew, and units that have a variation keep it."
        return isUnwritten
            ? begins + " The file says \(before): write 'epoch: \(epoch)', or leave it out, before the next publication." : begins
    }
}
