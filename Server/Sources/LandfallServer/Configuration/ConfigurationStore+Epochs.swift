// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
package import LandfallWire

extension ConfigurationStore {
    /// A configuration as it would be served if it were published now.
    /// - Parameters:
    ///   - openings: ``openings(_:)``
    ///   - number: of the version before it.
    func draft(_ configuration: Configuration, _ openings: [ExperimentEpochs.Begun], after number: Int64) async throws -> Snapshot {
        var epochs = try await counted(configuration.experiments, of: configuration.app.id, at: number)
        for opening in openings { epochs[opening.experiment] = opening.epoch }
        return Snapshot(configuration, revision: number, epochs: epochs)
    }

    /// A version ready to serve, with the epochs that its experiments have.
    package func snapshot(_ configuration: Configuration, _ number: Int64) async throws -> Snapshot {
        Snapshot(configuration, revision: number, epochs: try await counted(configuration.experiments, of: configuration.app.id, at: number))
    }

    /// The epochs that were the newest when that version was published.
    package func counted(_ experiments: [Experiment], of app: AppID, at number: Int64) async throws -> [ExperimentID: Int64] {
        guard !experiments.isEmpty else { return [:] }
        return try await database.read { try ExperimentEpochs.counted(in: app, at: number, $0) }
    }

    /// The epochs of a configuration that may become the next version.
    ///
    /// What the newest epoch of an experiment shows, the newest version says if the experiment is live in it. Otherwise it may have been
    /// edited since it was: then the version says it that opened the epoch.
    /// - Parameters:
    ///   - text: the configuration's.
    ///   - newest: nil in an empty store.
    func epochs(of configuration: Configuration, _ text: String, after newest: Version?) async throws -> ExperimentEpochs {
        var epochs = ExperimentEpochs(app: configuration.app.id, experiments: configuration.experiments)
        epochs.isNew = newest?.text != text
        guard epochs.hasLive, let newest else { return epochs }
        let live = configuration.experiments.lazy.filter { $0.state == .live }.map(\.id)
        let stored = try await database.read { [app = epochs.app, live = Array(live)] connection in
            try live.compactMap { id in try ExperimentEpochs.last(of: id, in: app, connection).map { (id: id, last: $0) } }
        }
        let before = experiments(of: newest) ?? []
        var others: [(id: ExperimentID, last: ExperimentEpochs.Stored)] = []
        for (id, last) in stored {
            if let experiment = before.first(where: { $0.id == id && $0.state == .live }) {
                epochs.shown[id] = ExperimentEpochs.Shown(epoch: last.epoch, variations: experiment.variations)
            } else {
                others.append((id, last))
            }
        }
        // One version after the other: each may be large.
        for (revision, opened) in Dictionary(grouping: others, by: \.last.revision) {
            let experiments = try await version(revision).flatMap { self.experiments(of: $0) } ?? []
            for (id, last) in opened {
                guard let experiment = experiments.first(where: { $0.id == id }) else { continue }
                epochs.shown[id] = ExperimentEpochs.Shown(epoch: last.epoch, variations: experiment.variations)
            }
        }
        return epochs
    }

    /// Nil if this release cannot read the version.
    private func experiments(of version: Version) -> [Experiment]? {
        (try? ConfigurationReading(yaml: version.text, secrets: .withoutSecrets).requireConfiguration())?.experiments
    }

    /// The epochs that a configuration opens if it is published now, in the order of the file.
    /// - Throws: ``EpochIsLower``.
    func openings(_ epochs: ExperimentEpochs) async throws -> [ExperimentEpochs.Begun] {
        guard epochs.hasLive else { return [] }
        return try await database.read { try epochs.openings($0) }
    }

    /// The file of a version, with the epoch of each live experiment that leaves it to the server to count: a file that goes on from
    /// there says which draws it means.
    func exported(_ version: Version) async throws -> String {
        let reading = ConfigurationReading(yaml: version.text, secrets: .withoutSecrets)
        guard let configuration = try? reading.requireConfiguration() else { return version.text }
        let uncounted = configuration.experiments.filter { $0.epoch == nil }
        guard !uncounted.isEmpty else { return version.text }
        let epochs = try await counted(uncounted, of: configuration.app.id, at: version.number)
        let edits = uncounted.compactMap { experiment -> ConfigurationEdit? in
            guard let epoch = epochs[experiment.id],
                let path = ConfigurationEditPath([.key("experiments"), .key(experiment.id.rawValue), .key("epoch")])
            else { return nil }
            return .set(path, to: .integer(epoch))
        }
        do {
            return try ConfigurationEdits(edits).applied(to: version.text, read: reading.root)
        } catch {
            // An entry that aliases share cannot have its epoch written; it is read as before, and the others have theirs.
            return edits.reduce(version.text) { text, edit in (try? edit.applied(to: text)) ?? text }
        }
    }
}

extension ExperimentEpochs {
    package var hasLive: Bool { experiments.contains { $0.state == .live } }
}
