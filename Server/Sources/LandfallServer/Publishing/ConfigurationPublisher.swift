// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
package import Logging
import ServiceLifecycle

/// How a node learns that the store may have a newer version. Any thread; news that nobody has read yet count as one.
package struct VersionNews: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func send() { continuation.yield() }
}

/// Takes over new versions of the configuration for this node: the versions of its file, if the operator wants that, and the
/// versions that other processes publish in a shared store. A version that this node cannot serve changes nothing: the node logs
/// that, and continues with the version that it has.
package actor ConfigurationPublisher: Service {
    private let serving: ConfigurationActivation
    private let owner: ConfigurationOwner
    private let database: any Database
    private let store: ConfigurationStore
    private let file: String?
    private let time: ServerTime
    private let secrets: SecretEnvironment
    private let news: VersionNews
    private let logger: Logger
    /// The hash of the file's text when this node last read it: the operator of the node has changed another one.
    private var readHash: String?
    /// A stored version that this process cannot build. What the version lacks cannot appear while the process runs.
    private var unbuilt: Int64 = 0

    /// - Parameters:
    ///   - text: of the file, as the start has read it.
    ///   - news: of versions in the store.
    package init(
        _ publishing: VersionPublisher, database: any Database, file: String?, text: String? = nil, news: VersionNews, logger: Logger
    ) {
        serving = publishing.serving
        owner = publishing.owner
        self.database = database
        store = publishing.store
        self.file = file
        readHash = text.map { ConfigurationStore.hash(of: $0) }
        time = publishing.time
        secrets = publishing.secrets
        self.news = news
        self.logger = logger
    }

    package func run() async throws {
        // Otherwise each version is published by this process, which serves it before it answers.
        guard database.isShared else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { [self] in for await _ in news.stream { await look() } }
    }

    /// The result of reading the file.
    package enum FileReading: Hashable, Sendable {
        /// It is served, now or already.
        case served(Int64)
        case kept(newest: Int64, ConfigurationStore.FileKept)
        /// The file cannot be served; with the reason.
        case refused(String)
        case noFile
    }

    /// Publishes the file if it can be served and differs from the newest version.
    @discardableResult
    package func publishFile() async -> FileReading {
        guard let file else {
            logger.notice("This server has no configuration file to read again: start it with --config, or publish by a command.")
            await look()
            return .noFile
        }
        do {
            let text = try Configuration.text(ofFile: file)
            let configuration = try ReadConfiguration(yaml: text, file: file, secrets: secrets).requireConfiguration()
            try serving.check(configuration.app)
            let hash = ConfigurationStore.hash(of: text)
            let publication = try await store.publishFile(
                text, as: configuration, isOwner: owner == .file, mayGoBack: !database.isShared || hash != readHash, nowMs: time.nowMs())
            readHash = hash
            serving.live.fileIsRead()
            switch publication {
            // Another version may have been served while this one was being stored.
            case .newest(let number):
                serving.serve(try await store.snapshot(configuration, number), logger)
                return .served(number)
            case .kept(let newest, let reason):
                logger.kept(newest, reason)
                await look()
                return .kept(newest: newest.number, reason)
            }
        } catch {
            if Configuration.isAboutFile(error) { serving.live.fileIsRead(refusal: error) }
            serving.telemetry.ended(.refused)
            logger.error(
                "The configuration file was not published; the served version stays.",
                metadata: ["configuration.version": "\(serving.live.snapshot.revision)", "error.text": "\(error)"])
            return .refused("\(error)")
        }
    }

    /// Serves the newest stored version, if it is newer than the served one.
    func look() async {
        do {
            let known = max(serving.live.snapshot.revision, unbuilt)
            guard let number = try await store.newestNumber(), number > known, let version = try await store.newest() else { return }
            do {
                let name = "configuration version \(version.number)"
                let configuration = try ReadConfiguration(yaml: version.text, file: name, secrets: secrets).requireConfiguration()
                try serving.check(configuration.app)
                let snapshot = try await store.snapshot(configuration, version.number)
                // This process may have published it itself, and serves it meanwhile.
                if snapshot.revision > serving.live.snapshot.revision { serving.serve(snapshot, logger) }
            } catch where Configuration.isAboutFile(error) {
                unbuilt = version.number
                serving.live.isBehind(version.number)
                serving.telemetry.ended(.refused)
                logger.behind(version.number, serving: serving.live.snapshot.revision, error)
            }
        } catch {
            logger.warning("The store could not be asked for a newer configuration.", metadata: ["error.text": "\(error)"])
        }
    }
}

extension Logger {
    /// Logs that the store's version stays, and that the file's version is not used.
    package func kept(_ newest: ConfigurationStore.Version, _ reason: ConfigurationStore.FileKept) {
        var metadata: Logger.Metadata = ["configuration.version": "\(newest.number)", "configuration.author": "\(newest.author)"]
        switch reason {
        case .replaced(let number):
            metadata["configuration.fileVersion"] = "\(number)"
            warning(
                "The configuration file is an earlier version, which a later file has replaced: the newest version is served. Give every node the same file; to go back to this one, publish it with 'landfall apply'.",
                metadata: metadata)
        case .publishedSince(isFileChanged: true):
            warning(
                "The configuration file changed, but somebody has published since: the store's version is served. Publish the file with 'landfall apply', or serve with --config-owner file.",
                metadata: metadata)
        case .publishedSince(isFileChanged: false):
            notice("Somebody has published since the configuration file was: the store's version is served.", metadata: metadata)
        }
    }

    /// Logs that the file was not read at a start, and that a stored version is served.
    package func refused(serving served: Int64, _ error: any Error) {
        self.error(
            "The configuration file cannot be served: the store's version is. Correct the file, then 'landfall reload'.",
            metadata: ["configuration.version": "\(served)", "error.text": "\(error)"])
    }

    /// Logs that this node cannot serve a stored version.
    package func behind(_ number: Int64, serving served: Int64, _ error: any Error) {
        self.error(
            "The newest version of the configuration cannot be served here; an older one is. Correct what it lacks and restart.",
            metadata: [
                "configuration.newest": "\(number)", "configuration.version": "\(served)", "error.text": "\(error)",
            ])
    }
}
