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
    /// If an experiment is live in the newest version, that version says what its newest epoch shows. Otherwise the experiment may have
    /// been edited since it was live: then the version that opened the epoch says it.
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
        // Reads one version after the other, because each may be large.
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
        (try? ReadConfiguration(yaml: version.text, secrets: .withoutSecrets).requireConfiguration())?.experiments
    }

    /// The epochs that a configuration opens if it is published now, in the order of the file.
    /// - Throws: ``EpochIsLower``.
    func openings(_ epochs: ExperimentEpochs) async throws -> [ExperimentEpochs.Begun] {
        guard epochs.hasLive else { return [] }
        return try await database.read { try epochs.openings($0) }
    }

    /// The file of a version, with the epoch written into each live experiment that leaves the counting to the server. A file that is
    /// made from it then says which draws it means.
    func exported(_ version: Version) async throws -> String {
        let reading = ReadConfiguration(yaml: version.text, secrets: .withoutSecrets)
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
            // An entry that is shared by aliases cannot have its epoch written and stays as it is; the others get theirs.
            return edits.reduce(version.text) { text, edit in (try? edit.applied(to: text)) ?? text }
        }
    }
}

extension ExperimentEpochs {
    package var hasLive: Bool { experiments.contains { $0.state == .live } }
}
