// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The database on a Citus cluster that tests may fill. In it each test has schemas of its own, whose tables it distributes.
package enum TestCluster {
    /// `LANDFALL_TEST_DATABASE`, if `LANDFALL_TEST_DISTRIBUTED` is set too; otherwise nil.
    package static let url: String? = {
        let environment = ProcessInfo.processInfo.environment
        return environment["LANDFALL_TEST_DISTRIBUTED"] == nil ? nil : environment["LANDFALL_TEST_DATABASE"]
    }()

    /// Schemas with other names are not the tests'.
    package static let schemaBeginning = "landfall_test_"

    /// A database's URL for tables in that schema. On the cluster they have few shards, because every test makes them anew.
    package static func url(_ address: String, schema: String) -> String {
        let shards = url == nil ? "" : "%20-ccitus.shard_count%3D4"
        return "\(address)\(address.contains("?") ? "&" : "?")options=-csearch_path%3D\(schema)\(shards)"
    }
}
