// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Logging
import ServiceLifecycle

/// Brings new versions of the configuration to what this node serves: its file, when the operator asks for that, and what other
/// processes publish in a store that they share. A version that cannot be served here changes nothing: the node says so, and
/// goes on with the one that it has.
actor ConfigurationPublishing: Service {
    /// Between two looks at a shared store.
    static let interval: Duration = .seconds(1)

    private let serving: ConfigurationServing
    private let owner: ConfigurationOwner
    private let database: any Database
    private let store: ConfigurationStore
    private let file: String?
    private let time: ServerTime
    private let secrets: SecretEnvironment
    private let logger: Logger
    /// A stored version that cannot be built in this process; what it lacks does not come while it runs.
    private var unbuilt: Int64 = 0

    init(_ services: Services, file: String?, logger: Logger) {
        serving = services.configurationServing
        owner = services.configurationOwner
        database = services.database
        store = ConfigurationStore(services.database)
        self.file = file
        time = services.time
        secrets = services.secrets
        self.logger = logger
    }

    func run() async throws {
        guard database.isShared else { return try await gracefulShutdown() }
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                try await time.sleep(Self.interval)
                await look()
            }
        }
    }

    /// Publishes the file if it can be served and is not the newest version already.
    func publishFile() async {
        guard let file else {
            logger.notice("This server has no configuration file to read again: start it with --config, or publish by a command.")
            return await look()
        }
        do {
            let text = try Configuration.text(ofFile: file)
            let configuration = try ConfigurationReading(yaml: text, file: file, secrets: secrets).requireConfiguration()
            try serving.check(configuration.app)
            switch try await store.publishFile(text, isOwner: owner == .file, nowMs: time.nowMs()) {
            // Another version may have been served while this one was stored.
            case .newest(let number): serving.serve(configuration, number, logger)
            case .kept(let newest, let isFileChanged):
                logger.kept(newest, isFileChanged: isFileChanged)
                await look()
            }
        } catch {
            serving.telemetry.ended(.refused)
            logger.error(
                "The configuration was not published; the one that is served stays.",
                metadata: ["configuration.version": "\(serving.live.snapshot.revision)", "error.text": "\(error)"])
        }
    }

    /// Serves the newest stored version, if it is newer than what is served.
    func look() async {
        do {
            let known = max(serving.live.snapshot.revision, unbuilt)
            guard let number = try await store.newestNumber(), number > known, let version = try await store.newest() else { return }
            do {
                let name = "configuration version \(version.number)"
                let configuration = try ConfigurationReading(yaml: version.text, file: name, secrets: secrets).requireConfiguration()
                try serving.check(configuration.app)
                serving.serve(configuration, version.number, logger)
            } catch {
                unbuilt = version.number
                serving.live.isBehind(version.number)
                serving.telemetry.ended(.refused)
                logger.behind(version.number, serving: serving.live.snapshot.revision, error)
            }
        } catch {
            logger.warning("The store was not asked for a newer configuration.", metadata: ["error.text": "\(error)"])
        }
    }
}

extension Logger {
    /// The store's version stays, and not the file's.
    func kept(_ newest: ConfigurationStore.Version, isFileChanged: Bool) {
        let metadata: Logger.Metadata = ["configuration.version": "\(newest.number)", "configuration.author": "\(newest.author)"]
        if isFileChanged {
            warning(
                "The configuration file changed, but somebody has published since: the store's version is served. Publish the file with 'landfall apply', or serve with --config-owner file.",
                metadata: metadata)
        } else {
            notice("Somebody has published since the configuration file was: the store's version is served.", metadata: metadata)
        }
    }

    /// A stored version cannot be served by this node.
    func behind(_ number: Int64, serving served: Int64, _ error: any Error) {
        self.error(
            "The newest version of the configuration cannot be served here; an older one is. Correct what it lacks and restart.",
            metadata: [
                "configuration.newest": "\(number)", "configuration.version": "\(served)", "error.text": "\(error)",
            ])
    }
}
