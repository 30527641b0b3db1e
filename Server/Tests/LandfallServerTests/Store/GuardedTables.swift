// SPDX-License-Identifier: Apache-2.0
@testable import LandfallStore

/// Tables whose rows units lock before they read them. A unit that changes a row there needs a lock of the table too, also for a new row:
/// a lock is a name, and excludes where there is no row yet.
///
/// Not `store`: its lock is for other tables, and its own rows are written at the start. Not `request_key`: the keys of an install
/// are under the install's lock. The tables of the console, of links and of reports are not listed yet.
enum GuardedTables {
    private static let verbs: [Substring: Set<Substring>] = [
        "install": ["INSERT", "UPDATE", "DELETE"],
        "profile": ["INSERT", "UPDATE", "DELETE"],
        // Its deletion is under the lock of its profile.
        "customer": ["INSERT"],
        // Its deletion takes nothing from an install that was refused because of it.
        "apple_ads_exchange": ["INSERT"],
        "purchase_chain": ["INSERT", "UPDATE", "DELETE"],
        // So that nobody waits in a circle for rows that two units count up.
        "erased_revenue": ["INSERT"],
    ]

    /// The table of which a transaction needs a lock in order to run the statement; nil if it needs none.
    static func table(of statement: Statement) -> String? {
        statement.change.flatMap { verbs[$0.table]?.contains($0.verb) == true ? String($0.table) : nil }
    }
}

extension Statement {
    /// What it does with the rows of which table; nil if it only reads.
    var change: (verb: Substring, table: Substring)? {
        let words = text.prefix(80).split(maxSplits: 3) { $0.isWhitespace || $0 == "(" }
        guard words.count > 2, let place = ["INSERT": 2, "UPDATE": 1, "DELETE": 2][words[0]] else { return nil }
        return (words[0], words[place])
    }
}
