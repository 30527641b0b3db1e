// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer

/// Where a command works: at a named server with a key, else in the store's folder, through its server or in this process.
struct StoreOptions: ParsableArguments {
    @Option(help: "The address of the server (LANDFALL_SERVER; none: the folder of the store).")
    var server: String?

    @Option(help: "A server key, sk_…, for --server (LANDFALL_SERVER_KEY, which process lists do not show).")
    var key: String?

    /// The folder's server is reached through its socket.
    @OptionGroup var store: StorePlaceOption

    @Option(help: "The configuration, landfall.yaml, if no server runs (LANDFALL_CONFIG; the store's version).")
    var config: String?

    @OptionGroup var form: JSONOption

    /// Reaches the store, and releases it afterwards.
    ///
    ///     let body = try await store.withReach { reach in
    ///         try await reach.call(BackendCall("GET", "/v1/reports/links?from=2026-11-01"))
    ///     }
    ///
    /// - Parameter makesStore: a folder without a store gets one; otherwise that is an error.
    func withReach<Value>(makesStore: Bool = false, _ body: (Reach) async throws -> Value) async throws -> Value {
        let place = try place()
        if !makesStore { try place.requireStore() }
        return try await Reach.with(place, makesStore: makesStore, body)
    }

    /// The same for a call about the configuration itself: if the store has a version, the file is not used.
    /// - Parameter file: the configuration of an empty store until it has a version.
    func withReach<Value>(
        ofEmptyStore file: String?, makesStore: Bool = false, _ body: (Reach) async throws -> Value
    ) async throws -> Value {
        var place = try place()
        if !makesStore { try place.requireStore() }
        if case .store(let store, _, _) = place { place = .store(store, configurationFile: file, isForEmptyStore: true) }
        return try await Reach.with(place, makesStore: makesStore, body)
    }

    func place(_ environment: FlagEnvironment = FlagEnvironment()) throws -> Reach.Place {
        if server != nil, store.isGiven {
            throw ValidationError("--server and \(store.database == nil ? "--data" : "--database") name different places. Use one of them.")
        }
        if let server = server ?? (store.isGiven ? nil : environment.text("server")) {
            guard let key = key ?? environment.text("server-key") else {
                throw Self.keyMissing
            }
            return .server(try ServerAddress(server), key: key)
        }
        guard key == nil else {
            throw ValidationError("--key is for --server URL. A store's folder or database needs no key.")
        }
        let place = try store.place(environment)
        // Nodes may be serving a newer version than the file that they were started with.
        if case .postgres = place, config == nil {
            return .store(place, configurationFile: environment.text("config"), isForEmptyStore: true)
        }
        return .store(place, configurationFile: config ?? environment.text("config"))
    }

    static var keyMissing: ValidationError {
        ValidationError("--server needs a server key: --key sk_…, or LANDFALL_SERVER_KEY in the environment.")
    }

    var json: Bool { form.json }

    func printJSON(_ value: some Encodable) throws { try form.write(value) }
}

/// `https://HOST[:PORT]`, or http to this machine: a server key is not sent in the clear.
struct ServerAddress: Hashable {
    /// Without a final slash.
    let text: String

    init(_ text: String) throws {
        let url = URL(string: text)
        guard let url, url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil,
            url.scheme == "https" || url.isLocalHTTP
        else {
            throw ValidationError("'\(text)' is not the address of a server; write https://HOST, or http:// to this machine.")
        }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
