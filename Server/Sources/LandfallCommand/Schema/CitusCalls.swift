// SPDX-License-Identifier: Apache-2.0
import LandfallNode

/// ``Distribution`` as calls of Citus, with the reason of each. A table follows the first one whose rows are to be beside its own.
enum CitusCalls {
    static var lines: [String] {
        ["-- For tables without rows, on the coordinator of a Citus cluster."]
            + Distribution.tables.map { table in
                switch table.place {
                case .install(let column), .own(let column):
                    let first = Distribution.tables.first { $0.place.isBeside(table.place) }?.name ?? table.name
                    let other = first == table.name ? "none" : first
                    return
                        "SELECT create_distributed_table('\(table.name)', '\(column)', colocate_with => '\(other)');  -- \(table.reason)"
                case .reference: return "SELECT create_reference_table('\(table.name)');  -- \(table.reason)"
                case .coordinator: return "-- \(table.name) stays on the coordinator: \(table.reason)"
                }
            }
    }
}
