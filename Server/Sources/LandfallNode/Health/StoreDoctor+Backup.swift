// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallConsole
import LandfallServer
import LandfallStore

/// When the store was last copied, and whether that copy is unchanged.
extension StoreDoctor {
    /// A larger backup is read only if the whole store is read too.
    private static let quickBytes: Int64 = 256 << 20
    private static let daily = "Make a backup each day: landfall backup FILE. Keep copies on another machine."
    private static let ofDatabase = "Backups of the database are the task of those who run PostgreSQL: let its own tools do it every day."

    /// Nil if the store has no record of backups.
    func backup(whole: Bool) async -> DoctorFinding? {
        let read = try? await database.read { connection in
            (
                last: try BackupMade.last(connection),
                sinceMs: try connection.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?.integer("epoch") ?? 0
            )
        }
        guard let read else { return nil }
        let nowMs = ServerTime.live.nowMs()
        let state = BackupState(lastMs: read.last?.atMs, storeSinceMs: read.sinceMs, isShared: database.isShared, nowMs: nowMs)
        guard let last = read.last else {
            let none = "No backup of this store is known"
            return switch state {
            case .due: .good("backup", none + " yet: it is younger than a day. " + Self.daily)
            case .elsewhere: .good("backup", none + " here. " + Self.ofDatabase)
            case .missing, .fresh: .bad("backup", none + ".", fix: Self.daily)
            }
        }
        let age = "The last backup is of \(Date(timeIntervalSince1970: TimeInterval(last.atMs) / 1_000).formatted(.iso8601))"
        switch state {
        case .fresh: break
        case .elsewhere: return .good("backup", age + ", more than a week ago. " + Self.ofDatabase)
        case .missing, .due: return .bad("backup", age + ", more than a week ago.", fix: Self.daily)
        }
        guard let file = last.file, let store = self.database as? any StoreCopying else { return .good("backup", age + ".") }
        guard FileManager.default.fileExists(atPath: file) else { return .good("backup", age + "; '\(file)' is not there now.") }
        guard whole || last.bytes <= Self.quickBytes else {
            return .good("backup", age + ", in '\(file)'. 'landfall doctor --store' compares it with its checksum.")
        }
        do {
            let isSealed = try await store.checkCopy(at: file)
            return .good("backup", age + ", in '\(file)'" + (isSealed ? ", and is unchanged since it was written." : ", and has no checksum."))
        } catch {
            return .bad("backup", "\(error)", fix: Self.daily)
        }
    }
}
