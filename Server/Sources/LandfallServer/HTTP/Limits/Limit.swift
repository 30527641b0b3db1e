// SPDX-License-Identifier: Apache-2.0
/// A limit on how often, how long or how much. The raw value is the label of `landfall_limit_hit_total`;
/// docs/operating/under-attack.md gives each limit's value and how to change it. Which of them nodes share: ``NodeShare``.
package enum Limit: String, CaseIterable, Sendable {
    case codesByInstall = "codes_by_install"
    case codesByAddress = "codes_by_address"
    case unprovenClicksByAddress = "unproven_clicks_by_address"
    case clicksByAddress = "clicks_by_address"
    case inventedClicksByAddress = "invented_clicks_by_address"
    case oldLinksByAddress = "old_links_by_address"
    case diskForClicks = "disk_for_clicks"
    case lateOpenings = "late_openings"
    case held = "held"
    case heldByAddress = "held_by_address"
    case heldByInstall = "held_by_install"
    case streamTrials = "stream_trials"
    case answerTime = "answer_time"
    case connections = "connections"
    case connectionsByAddress = "connections_by_address"
    case openFiles = "open_files"
    case silentConnection = "silent_connection"
    case unreadAnswer = "unread_answer"
    case disk = "disk"
    case writer = "writer"
    case readers = "readers"
    case signIns = "sign_ins"
    case passwords = "passwords"
    case editing = "editing"
    case liveStreams = "live_streams"
    case rowReports = "row_reports"
    case countings = "countings"

    /// What happened, and what it means for the caller.
    var sentence: String {
        switch self {
        case .codesByInstall: "An install has sent too many codes that lead nowhere; its codes are ignored for an hour."
        case .codesByAddress: "A network has sent too many codes that lead nowhere; its codes are refused for up to ten minutes."
        case .unprovenClicksByAddress:
            "A network has sent too many links with the SDK key alone; they are refused for up to ten minutes."
        case .clicksByAddress:
            "A network has sent too many clicks; for up to ten minutes its clicks are redirected and counted, but not stored."
        case .inventedClicksByAddress:
            "A network has sent too many clicks on paths that no link has; for up to ten minutes they are counted, but not stored."
        case .oldLinksByAddress:
            "A network has sent too many links of old domains that are on no list; for up to ten minutes the resolver is not asked about its links."
        case .diskForClicks: "Less than a tenth of the disk is free; clicks are counted, but not stored."
        case .lateOpenings:
            "Too many first opens wait for the store; further ones are answered without being stored."
        case .held: "This node holds as many answers as it may; further ones are sent at once."
        case .heldByAddress: "A network has as many held answers as it may; its further ones are sent at once."
        case .heldByInstall: "An install has as many held answers as it may; its further ones are sent at once."
        case .streamTrials: "This node tests as many streams as it may; further ones are told to retry."
        case .answerTime: "A client did not read a held answer to its end in time; its connection was closed."
        case .connections: "This node has as many connections as it may; further ones are told to retry, or closed."
        case .connectionsByAddress: "An address has as many connections as it may; further ones are closed."
        case .openFiles: "This process has reached its limit of open files and connections; it pauses accepting for a moment."
        case .silentConnection: "A connection sent no request in time; it was closed."
        case .unreadAnswer: "A client did not read its answer in time; its connection was closed."
        case .disk: "The disk is nearly full; writes are refused."
        case .writer: "The store's write queue is full; further writes are told to retry."
        case .readers: "Too many reads of the store wait; further ones are told to retry."
        case .signIns: "An account or a network gave too many wrong passwords; it cannot sign in for up to 15 minutes."
        case .passwords: "Too many passwords of the console wait to be checked; further ones are told to retry."
        case .editing: "Too many forms of the console wait to be edited; further ones are told to retry."
        case .liveStreams: "The maximum of console pages watch this node; further ones are told to retry."
        case .rowReports: "The maximum of reports read rows of this node's store; further ones are told to retry."
        case .countings:
            "The maximum of calls count experiments, or the impact of a version, on this node; further ones are told to retry."
        }
    }
}
