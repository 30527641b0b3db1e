// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// A failed statement: what the caller is told, and what the driver does before.
struct PostgresFailure: Error {
    enum Consequence: String, CaseIterable {
        /// The caller is told.
        case final
        /// Another transaction was in the way: the unit is run again after a pause.
        case conflict
        /// A row with that key was committed by another transaction: the unit is run again, and finds it.
        case duplicate
        /// What was prepared no longer fits: it is prepared again, and the unit is run again.
        case stale
        /// The connection cannot be used any more: the unit is run again on a new one.
        case lost
    }

    let consequence: Consequence
    let error: DatabaseError

    static func lost(_ text: String) -> Self { Self(consequence: .lost, error: .retry(text)) }
    static func final(_ error: DatabaseError) -> Self { Self(consequence: .final, error: error) }

    init(consequence: Consequence, error: DatabaseError) { (self.consequence, self.error) = (consequence, error) }

    /// - Parameter message: the engine's primary message, without its detail, which has values.
    init(state: String, message: String) {
        let text = Self.mayBeSaid(state) ? "\(message), SQLSTATE \(state)" : "SQLSTATE \(state)"
        switch state {
        case "40001", "40P01", "55P03": self.init(consequence: .conflict, error: .retry(text))
        case "23505": self.init(consequence: .duplicate, error: .failed(text))
        // The part of its month was made just now, see `MonthlyTable`. Known by the table's name: the words are in the server's language.
        case "23514" where MonthlyTable.all.contains(where: { message.contains($0.rest) }): self.init(consequence: .conflict, error: .retry(text))
        // A changed table under a prepared statement, or a pooler's other connection. Other texts of 0A000 are final.
        case "26000", "42P05": self.init(consequence: .stale, error: .failed(text + "; behind a pooler use prepare=off"))
        case "0A000" where message.contains("cached plan"): self.init(consequence: .stale, error: .failed(text))
        case "42501": self.init(consequence: .final, error: .unsuitable(text, remedy: "connect as the role that owns the database and its tables"))
        case "53100": self.init(consequence: .final, error: .diskLow)
        case "58030": self.init(consequence: .lost, error: .diskFailing(text))
        case "XX001", "XX002": self.init(consequence: .final, error: .damaged(text))
        // A standby, or a primary that became one: a new connection may find the primary.
        case "0A000" where message.contains("during recovery"): self.init(consequence: .lost, error: .retry(text))
        case "25006", "25P03": self.init(consequence: .lost, error: .retry(text))
        case "57014": self.init(consequence: .final, error: .retry(text))
        case _ where ["08", "53", "57", "58"].contains(state.prefix(2)): self.init(consequence: .lost, error: .retry(text))
        default: self.init(consequence: .final, error: .failed(text))
        }
    }

    /// Whether a later attempt to connect may succeed, although nobody mends the URL or the rights.
    /// - Parameter text: the library's, in its verbose form: `FATAL:  28P01: password authentication failed for user "landfall"`.
    static func mayPass(connecting text: String) -> Bool {
        // What the library itself does not understand in the URL.
        if text.hasPrefix("invalid ") { return false }
        // Of each host that answered: a wrong user or password, no such database, no right to it.
        return !text.matches(of: /:  ([0-9A-Z]{5}):/).contains { ["28", "3D", "42"].contains($0.output.1.prefix(2)) }
    }

    /// Messages of these classes name tables, columns and constraints. Those of the others repeat values: 'invalid input syntax
    /// for type integer: "…"'.
    private static func mayBeSaid(_ state: String) -> Bool {
        ["08", "0A", "23", "25", "26", "40", "42", "53", "55", "57", "58", "XX"].contains(state.prefix(2))
    }
}
