// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Finds the stored installation or begins one. Throws if anything cannot be read for certain: the caller waits and tries
/// again, because a new id would count the same person twice.
struct InstallLoader: Sendable {
    let storage: any Storage
    let deviceIDs: (any DeviceIDStore)?
    var earlierUse = EarlierUse()
    let date: @Sendable () -> Date
    let randomBytes: @Sendable (Int) -> [UInt8]
    let log: @Sendable (LogLine) -> Void
    /// Called before a new installation is stored, which takes several writes to the disk.
    var onBegin: @Sendable () -> Void = {}

    func install() async throws -> Install {
        let file = try await StoredFile<Install>(.install, in: storage).read(log: log)
        let device = try await device()
        switch InstallDecision(file: file, device: device, newDeviceID: newDeviceID) {
        case .keep(let install):
            if install != file { try await store(install) }
            return install
        case .keepAndGiveDevice(var install, let deviceID):
            install.deviceID = deviceID
            return try await kept(install)
        case .begin(let deviceID?):
            onBegin()
            var install = fresh(deviceID: deviceID)
            install.isDeviceIDKept = true
            try await store(install)
            return install
        case .begin(nil):
            onBegin()
            return try await kept(fresh(deviceID: device == .cannotKeep ? nil : newDeviceID()))
        }
    }

    private func fresh(deviceID: String?) -> Install {
        let date = date()
        return .fresh(deviceID: deviceID, date: date, usedBefore: earlierUse.age(at: date), randomBytes: randomBytes)
    }

    private func device() async throws -> InstallDecision.Device {
        guard let deviceIDs else { return .cannotKeep }
        do {
            return try await abandoning { try await deviceIDs.read() }.map { .keeps($0) } ?? .keepsNothing
        } catch let lasting as DeviceIDUnavailable {
            log(LogLine(.warning, lasting.description))
            return .cannotKeep
        }
    }

    /// Writes the file before the device's copy: a kill in between leaves a file that records it.
    private func kept(_ install: Install) async throws -> Install {
        try await store(install)
        guard let deviceIDs, let deviceID = install.deviceID else { return install }
        do {
            try await abandoning { try await deviceIDs.write(deviceID) }
            var kept = install
            kept.isDeviceIDKept = true
            try await store(kept)
            return kept
        } catch is CancellationError {
            throw CancellationError()
        } catch let lasting as DeviceIDUnavailable {
            log(LogLine(.warning, lasting.description))
            var without = install
            without.deviceID = nil
            try await store(without)
            return without
        } catch {
            let text = "This device could not keep its id. \(error.inWords) The SDK tries again at the next launch; nothing to do."
            log(LogLine(.warning, text, category: .storage))
            return install
        }
    }

    private func store(_ install: Install) async throws {
        try await StoredFile<Install>(.install, in: storage).write(install)
    }

    private func newDeviceID() -> String { UUIDv7.text(date: date(), random: randomBytes(10)) }
}
