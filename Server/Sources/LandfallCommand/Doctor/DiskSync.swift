// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallServer

/// How long the store's disk takes to sync what was written, as every group of writes waits for it.
enum DiskSync {
    private static let tries = 5
    private static let bytes = 4096
    static let most = Duration.milliseconds(50)

    static let silent = DoctorFinding.bad(
        "sync", "The disk did not sync a small file within 15 seconds.", fix: "Look at the log of the system (dmesg) and at the disk.")

    static func finding(in folder: StoreFolder) -> DoctorFinding {
        guard let longest = measure(in: folder.path) else {
            return .bad(
                "sync", "No file can be written in '\(folder.path)'.", fix: "Run the command as the user that owns the folder.")
        }
        let milliseconds = Double(longest.components.seconds) * 1000 + Double(longest.components.attoseconds) / 1e15
        let text = "The disk syncs in \((milliseconds * 10).rounded() / 10) ms."
        return longest <= most
            ? .good("sync", text)
            : .bad("sync", text + " Every group of writes waits for it.", fix: "Put the folder on a local SSD, and check what else writes to that disk.")
    }

    /// The median of several. The file's name is removed before the first write, so that nothing is left of it.
    private static func measure(in folder: String) -> Duration? {
        let path = folder + "/landfall.sync-\(ProcessInfo.processInfo.processIdentifier)"
        let file = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { return nil }
        unlink(path)
        defer { close(file) }
        var page = [UInt8](repeating: 0, count: bytes)
        var times: [Duration] = []
        for number in 0..<tries {
            page[0] = UInt8(number)
            let begun = ContinuousClock.now
            guard write(file, page, bytes) == bytes, fsync(file) == 0 else { return nil }
            times.append(ContinuousClock.now - begun)
        }
        return times.sorted()[tries / 2]
    }
}
