// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

extension Configuration {
    /// How many versions a start looks back for one that it can serve.
    static let mostLookedBack = 100

    /// The configuration of a starting server. It serves the file, and publishes it as the next version if it differs from the newest
    /// one. If somebody has published since a file was published, or the file cannot be served, it serves the newest stored version that
    /// can be built here. A bad file does not stop the start.
    /// - Parameters:
    ///   - isAlone: whether no other node works on the store. It may take its time, and is asked only if the file is of another app, or if a
    ///     later file has replaced the text, see ``ConfigurationStore/publishFile(_:as:isOwner:mayGoBack:nowMs:)``.
    ///   - onUnbuilt: called for each newer version, newest first, with the reason why it cannot be served.
    ///   - onRefused: called if the file cannot be served and a stored version is served.
    ///   - onKept: called if the store's version stays.
    ///   - onText: called with the text of the file.
    /// - Throws: ``ConfigurationError`` with every problem, before anything is stored; ``ConfigurationStartError``; ``StoreOfAnotherApp``;
    ///   what the store throws.
    package static func start(
        file: String?, owner: ConfigurationOwner = .store, isAlone: @Sendable () async throws -> Bool = { true },
        store: ConfigurationStore, nowMs: Int64, environment: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) },
        onUnbuilt: (_ version: Int64, any Error) -> Void = { _, _ in },
        onRefused: (any Error) -> Void = { _ in },
        onKept: (_ newest: ConfigurationStore.Version, ConfigurationStore.FileKept) -> Void = { _, _ in },
        onText: (String) -> Void = { _ in }
    ) async throws -> Snapshot {
        var refused: (any Error)?
        if let file {
            do {
                let text = try text(ofFile: file)
                onText(text)
                let configuration = try Configuration(yaml: text, file: file, environment: environment)
                if let newest = try await store.newest(), newest.text != text,
                    let served = try? Configuration(yaml: newest.text, file: "", environment: environment).app.id,
                    served != configuration.app.id, try await !isAlone()
                {
                    throw StoreOfAnotherApp(served: served, file: configuration.app.id)
                }
                func publish(mayGoBack: Bool) async throws -> ConfigurationStore.FilePublication {
                    try await store.publishFile(text, as: configuration, isOwner: owner == .file, mayGoBack: mayGoBack, nowMs: nowMs)
                }
                var publication = try await publish(mayGoBack: false)
                if case .kept(_, .replaced) = publication, try await isAlone() { publication = try await publish(mayGoBack: true) }
                switch publication {
                case .newest(let number): return try await store.snapshot(configuration, number)
                case .kept(let newest, let reason): onKept(newest, reason)
                }
            } catch where isAboutFile(error) {
                refused = error
            }
        }
        guard var stored = try await store.newest() else { throw refused ?? ConfigurationStartError.nothingToServe }
        var first: ConfigurationError?
        for _ in 0..<mostLookedBack {
            do {
                let name = "configuration version \(stored.number)"
                let snapshot = try await store.snapshot(
                    try Configuration(yaml: stored.text, file: name, environment: environment), stored.number)
                if let refused { onRefused(refused) }
                return snapshot
            } catch let error as ConfigurationError {
                first = first ?? error
                onUnbuilt(stored.number, error)
            }
            guard let earlier = try await store.version(upTo: stored.number - 1) else { break }
            stored = earlier
        }
        throw refused ?? first ?? ConfigurationStartError.nothingToServe
    }

    /// False for the errors of a store.
    static func isAboutFile(_ error: any Error) -> Bool {
        error is ConfigurationError || error is ConfigurationStartError || error is EpochIsLower || error is AppChange
    }
}

/// Two apps were given one database.
package struct StoreOfAnotherApp: Error, Hashable, CustomStringConvertible {
    /// By the nodes that live.
    let served: AppID
    let file: AppID

    package var description: String {
        "Nodes of the app '\(served)' work on this database, and the configuration file is of the app '\(file)'. Give each app a database of its own. To give the app another id, stop its nodes first."
    }
}
