// SPDX-License-Identifier: Apache-2.0

/// ``Distribution`` as calls of Citus, with the reason of each. A table follows the first one whose rows are to be beside its own.
package enum CitusCalls {
    package static var lines: [String] {
        ["-- For tables without rows, on the coordinator of a Citus cluster."]
            + Distribution.tables.map { table in
                call(of: table).map { "\($0);  -- \(table.reason)" } ?? "-- \(table.name) stays on the coordinator: \(table.reason)"
            }
    }

    /// The calls alone.
    package static var calls: [String] { Distribution.tables.compactMap(call) }

    private static func call(of table: Distribution.Table) -> String? {
        switch table.place {
        case .install(let column), .own(let column):
            let first = Distribution.tables.first { $0.place.isBeside(table.place) }?.name ?? table.name
            let other = first == table.name ? "none" : first
            return "SELECT create_distributed_table('\(table.name)', '\(column)', colocate_with => '\(other)')"
        case .reference: return "SELECT create_reference_table('\(table.name)')"
        case .coordinator: return nil
        }
    }
}
