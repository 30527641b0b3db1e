// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name of a backup in a folder or a bucket: when it was begun, in UTC. A later one is greater, byte by byte.
enum BackupName {
    static let beginning = "landfall-"
    private static let ending = ".sqlite"

    static func text(_ time: Date) -> String { "\(beginning)\(time.formatted(RestoreCommand.stamp))\(ending)" }

    /// True for such a name; files with other names are nobody's to delete.
    static func isBackup(_ name: String) -> Bool { name.wholeMatch(of: /landfall-[0-9]{8}T[0-9]{6}Z\.sqlite/) != nil }

    /// Nil if no name is one of a backup.
    static func newest(_ names: [String]) -> String? { sorted(names).last }

    /// All but the newest ones.
    /// - Parameter own: stays too: a clock that went back gives the newest backup an old name.
    static func older(_ names: [String], keeping count: Int, and own: String? = nil) -> [String] {
        sorted(names).dropLast(count).filter { $0 != own }
    }

    private static func sorted(_ names: [String]) -> [String] {
        names.filter(isBackup).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
