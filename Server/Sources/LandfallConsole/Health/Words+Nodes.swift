// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The nodes that share a store.
extension Words {
    var nodes: String { translate("Nodes") }
    var node: String { translate("Node") }
    var thisNode: String { translate("This node") }
    var silentFor: String { translate("Silent for") }
    var clockAhead: String { translate("Clock ahead by") }
    var figuresOfThisNode: String { translate("All other figures and checks are of this node alone.") }
    func milliseconds(_ count: Int64) -> String { translate("\(language.count(count)) ms") }

    func name(of finding: NodesHealth.Finding) -> String {
        switch finding {
        case .database: translate("Database")
        case .nodes: nodes
        case .releases: translate("Releases")
        case .clocks: translate("Clocks")
        case .replica: translate("Replica")
        }
    }

    func sentence(_ finding: NodesHealth.Finding) -> String {
        switch finding {
        case .database(nil): translate("The database answers.")
        case .database(let away?): translate("The database does not answer; time since then: \(span(away)).")
        case .nodes(let count, let silent) where silent.isEmpty: translate(count, one: "1 node lives.", other: "\(count) nodes live.")
        case .nodes(_, let silent): translate("Silent for more than 3 seconds: \(silent.joined(separator: ", ")).")
        case .releases(let releases) where releases.count > 1:
            translate("Nodes run different releases: \(releases.joined(separator: ", ")).")
        case .releases: translate("All nodes run the same release.")
        case .clocks(let ahead) where abs(ahead) > NodesSeen.clockWarningMs:
            translate("A clock differs from the database's by \(milliseconds(ahead)).")
        case .clocks: translate("No clock differs from the database's by more than 2 seconds.")
        case .replica(.unknown, _): translate("The replica was not asked yet; reports are read from the database.")
        case .replica(.away, _): translate("The replica does not answer; reports are read from the database.")
        case .replica(.behind, let behind?): translate("The replica is behind by \(span(behind)); reports are read from the database.")
        case .replica(.behind, nil): translate("The replica does not have what this node writes; reports are read from the database.")
        case .replica(.ok, let behind): translate("Reports are read from the replica, which is behind by at most \(milliseconds(behind ?? 0)).")
        }
    }

    /// What to do about it.
    func fix(_ finding: NodesHealth.Finding) -> String {
        switch finding {
        case .database: translate("Look at the database, and at the network to it. Phones get what is known meanwhile.")
        case .nodes: translate("Look at the log of that node. The others take its work.")
        case .releases: translate("Update every node to the same release.")
        case .clocks: translate("Set the clocks of nodes and database by NTP.")
        case .replica: translate("Look at the replica's log, its disk and the network to it. Phones do not wait for it.")
        }
    }
}
