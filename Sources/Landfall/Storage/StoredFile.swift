// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// A value with its own file: a JSON object whose member `format` names the format.
///
/// A later format only adds members. A release reads the members that it knows and keeps the others when it writes, so that a
/// downgrade loses nothing.
protocol StoredValue: Codable, Sendable {
    static var currentFormat: Int { get }
    var format: Int { get }
}

/// One value in one of the SDK's files.
struct StoredFile<Value: StoredValue>: Sendable {
    let name: StorageName
    let storage: any Storage

    init(_ name: StorageName, in storage: any Storage) {
        self.name = name
        self.storage = storage
    }

    /// nil if there is no file. A file that cannot be understood is set aside and reported. A cache that cannot be read is only
    /// reported.
    /// - Throws: what the storage throws. Then it is not known whether the file exists.
    func read(log: @Sendable (LogLine) -> Void) async throws -> Value? {
        let data: Data
        do {
            guard let found = try await storage.read(name) else { return nil }
            data = found
        } catch let error as StrangeFile {
            try await storage.setAside(name, because: error, log)
            return nil
        } catch {
            guard isOnlyCache(error) else { throw error }
            let text = "\(name.rawValue) cannot be read. \(error.inWords) The SDK goes on without it, and replaces it; nothing to do."
            log(LogLine(.warning, text, category: .storage))
            return nil
        }
        do {
            let value = try WireCoding.decode(Value.self, from: data)
            if value.format > Value.currentFormat {
                let text = "\(name.rawValue) was written by a later release of the SDK. Values that this release does not know are kept."
                log(LogLine(.info, text, category: .storage))
            }
            return value
        } catch {
            try await storage.setAside(name, because: "\(name.rawValue) cannot be understood.", log)
            return nil
        }
    }

    /// A cache: the server sends its content again, so a broken one never keeps the other files waiting.
    private func isOnlyCache(_ error: any Error) -> Bool {
        [.paywalls, .experiments, .linkRules, .purchases, .sales].contains(name) && !(error is StorageUnavailable || error is CancellationError)
    }

    /// Writes the value, and keeps the members of the existing file that only a later release knows.
    func write(_ value: Value) async throws {
        let data = try WireCoding.encode(value)
        // All members, including those that are nil and therefore not written.
        let members = Set(Mirror(reflecting: value).children.compactMap(\.label))
        guard let before = try await contentBefore(), case .object(let old)? = try? decoded(before),
            case let unknown = old.filter({ !members.contains($0.key) }), !unknown.isEmpty,
            case .object(let new)? = try? decoded(data)
        else { return try await storage.write(data, to: name) }
        let merged = new.merging(unknown) { known, _ in known }
        try await storage.write(try WireCoding.encode(JSONValue.object(merged)), to: name)
    }

    private func contentBefore() async throws -> Data? {
        do { return try await storage.read(name) } catch {
            guard error is StrangeFile || isOnlyCache(error) else { throw error }
            return nil
        }
    }

    private func decoded(_ data: Data) throws -> JSONValue { try WireCoding.decode(JSONValue.self, from: data) }
}

extension Storage {
    /// - Parameter reason: a sentence, which names the file.
    func setAside(
        _ name: StorageName, because reason: some CustomStringConvertible, _ log: @Sendable (LogLine) -> Void
    ) async throws {
        let text = "\(reason) It is kept under another name; the SDK goes on without it. Nothing to do."
        log(LogLine(.warning, text, category: .storage))
        try await setAside(name)
    }
}
