// SPDX-License-Identifier: Apache-2.0

/// The tables, columns and indexes of a store, by name. The recorded migrations only say that they ran once. This shows also what was
/// dropped or renamed since then.
package struct SchemaShape: Hashable, Sendable {
    package struct Table: Hashable, Sendable {
        package let name: String
        package var columns: [String]
        /// The columns of the primary key, in its order; empty if it is not known.
        package let key: [String]

        package init(_ name: String, columns: [String], key: [String] = []) { (self.name, self.columns, self.key) = (name, columns, key) }
    }

    package private(set) var tables: [Table]
    /// Without those of primary keys.
    package private(set) var indexes: Set<String>

    package init(tables: [Table], indexes: Set<String>) {
        (self.tables, self.indexes) = (tables.sorted { $0.name < $1.name }, indexes)
    }

    /// What the texts of these migrations make of an empty store. No engine runs them.
    package init(after migrations: [Migration]) {
        self.init(tables: [], indexes: [])
        for text in [AppliedMigration.table] + migrations.flatMap(\.statements) { apply(text) }
        tables.sort { $0.name < $1.name }
    }

    /// What this schema lacks of the other. It may have more, because a newer release adds to it.
    package func lacks(of wanted: SchemaShape) -> SchemaLacks {
        let own = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, Set($0.columns)) })
        var lacks = SchemaLacks()
        for table in wanted.tables {
            guard let columns = own[table.name] else {
                lacks.rows.append("the table '\(table.name)'")
                continue
            }
            lacks.rows += Set(table.columns).subtracting(columns).sorted().map { "the column '\(table.name).\($0)'" }
        }
        lacks.indexes = wanted.indexes.subtracting(indexes).sorted().map { "the index '\($0)'" }
        return lacks
    }

    /// - Parameter text: as migrations are written; what it does to rows is no part of the shape.
    private mutating func apply(_ text: String) {
        let text = text.split(separator: "\n").map { $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex) }
            .joined(separator: " ").trimmingPrefix(while: \.isWhitespace)
        if let made = text.prefixMatch(of: /CREATE TABLE (IF NOT EXISTS )?(\w+)\s*\((.*)\)/) {
            tables.append(Self.table(String(made.output.2), made.output.3))
        } else if let made = text.prefixMatch(of: /CREATE (UNIQUE )?INDEX (\w+)/) {
            indexes.insert(String(made.output.2))
        } else if let added = text.prefixMatch(of: /ALTER TABLE (\w+) ADD COLUMN (\w+)/) {
            for place in tables.indices where tables[place].name == added.output.1 { tables[place].columns.append(String(added.output.2)) }
        } else if let dropped = text.prefixMatch(of: /DROP (TABLE|INDEX) (\w+)/) {
            tables.removeAll { $0.name == dropped.output.2 }
            indexes.remove(String(dropped.output.2))
        }
    }

    private static func table(_ name: String, _ text: Substring) -> Table {
        var (columns, key): ([String], [String]) = ([], [])
        for part in parts(text) {
            if let named = part.prefixMatch(of: /PRIMARY KEY\s*\((.*)\)/) {
                key = parts(named.output.1).map(String.init)
            } else if let column = part.prefixMatch(of: /\w+/) {
                columns.append(String(column.output))
                if part.contains("PRIMARY KEY") { key = [String(column.output)] }
            }
        }
        return Table(name, columns: columns, key: key)
    }

    /// What stands between the commas that are in no brackets.
    private static func parts(_ text: Substring) -> [Substring] {
        var depth = 0
        return text.split { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return character == "," && depth == 0
        }.map { part in
            let part = part.trimmingPrefix(while: \.isWhitespace)
            return part.lastIndex { !$0.isWhitespace }.map { part[...$0] } ?? part
        }
    }
}
