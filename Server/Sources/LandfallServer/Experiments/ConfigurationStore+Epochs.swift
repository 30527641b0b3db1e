// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension ConfigurationStore {
    /// A version ready to serve, with the epochs that its experiments have.
    func snapshot(_ configuration: Configuration, _ number: Int64) async throws -> Snapshot {
        Snapshot(configuration, revision: number, epochs: try await counted(configuration.experiments, of: configuration.app.id, at: number))
    }

    /// The epochs that were the newest when that version was published.
    func counted(_ experiments: [Experiment], of app: AppID, at number: Int64) async throws -> [ExperimentID: Int64] {
        guard !experiments.isEmpty else { return [:] }
        return try await database.read { try ExperimentEpochs.counted(in: app, at: number, $0) }
    }

    /// The epochs that a configuration opens if it is published now, in the order of the file.
    /// - Throws: ``EpochIsLower``.
    func openings(_ epochs: ExperimentEpochs) async throws -> [ExperimentEpochs.Opening] {
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
        return uncounted.reduce(version.text) { text, experiment in
            guard let epoch = epochs[experiment.id],
                let path = ConfigurationEditPath([.key("experiments"), .key(experiment.id.rawValue), .key("epoch")])
            else { return text }
            // A file that aliases share cannot have its epochs written; it is read as before.
            return (try? ConfigurationEdit.set(path, to: .integer(epoch)).applied(to: text)) ?? text
        }
    }
}

extension ExperimentEpochs {
    /// - Parameter version: the one before, if there is one; what it shows is compared where this release can read it.
    init(_ configuration: Configuration, after version: ConfigurationStore.Version?) {
        self.init(app: configuration.app.id, experiments: configuration.experiments)
        guard hasLive, let version else { return }
        before = (try? ConfigurationReading(yaml: version.text, secrets: .withoutSecrets).requireConfiguration())?.experiments ?? []
    }

    var hasLive: Bool { experiments.contains { $0.state == .live } }
}
