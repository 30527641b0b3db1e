// SPDX-License-Identifier: Apache-2.0

/// What is exported: a file for each table and day. Raw values are the names of the command line, of the configuration and of files.
package enum ExportTable: String, CaseIterable, Hashable, Sendable, Codable {
    case firstOpens = "first_opens"
    case clicks, exposures, events, purchases, charges, assignments, installs
    /// Whose rows a receiver has to delete.
    case erasures

    /// Of all files: it changes if a field is renamed, removed or means something else. New fields are added at the end and do not change it.
    package static let form = 1
}

/// How a file is written.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable, Codable {
    /// One JSON object a line, with every field, null where there is no value.
    case jsonl
    /// RFC 4180, with a first line of names. What is null is empty.
    case csv
}
