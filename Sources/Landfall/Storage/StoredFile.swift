// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// One JSON value in one of the SDK's files.
struct StoredFile<Value: Codable>: Sendable {
    let name: StorageName
    let storage: any Storage

    init(_ name: StorageName, in storage: any Storage) {
        self.name = name
        self.storage = storage
    }

    /// nil where there is none. A file that cannot be understood is set aside and reported.
    /// - Throws: what the storage throws: the file may be there.
    func read(log: (LogLine) -> Void) throws -> Value? {
        guard let data = try storage.read(name) else { return nil }
        do {
            return try WireCoding.decode(Value.self, from: data)
        } catch {
            let text =
                "\(name.rawValue) cannot be understood. A copy is kept beside it; the SDK goes on without. Nothing to do."
            log(LogLine(.warning, text, category: .storage))
            if storage.isOwner { try storage.setAside(name) }
            return nil
        }
    }

    func write(_ value: Value) throws { try storage.write(try WireCoding.encode(value), to: name) }
}
