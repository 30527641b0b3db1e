// SPDX-License-Identifier: Apache-2.0
/// What the server lets happen only so often, so long or so much. The raw value is the label of `landfall_bound_hit_total`;
/// docs/operating/under-attack.md says of each what its figure is and how to change it.
enum Bound: String, CaseIterable, Sendable {
    case codesByInstall = "codes_by_install"
    case codesByAddress = "codes_by_address"
    case unprovenClicksByAddress = "unproven_clicks_by_address"
    case clicksByAddress = "clicks_by_address"
    case inventedClicksByAddress = "invented_clicks_by_address"
    case diskForClicks = "disk_for_clicks"
    case lateOpenings = "late_openings"
    case held = "held"
    case heldByAddress = "held_by_address"
    case heldByInstall = "held_by_install"
    case answerTime = "answer_time"
    case connections = "connections"
    case connectionsByAddress = "connections_by_address"
    case openFiles = "open_files"
    case silentConnection = "silent_connection"
    case unreadAnswer = "unread_answer"
    case disk = "disk"
    case writer = "writer"

    /// What happened, and what it means for the caller.
    var sentence: String {
        switch self {
        case .codesByInstall: "An install has shown too many codes that lead nowhere; for an hour none of its codes is looked at."
        case .codesByAddress: "A network has shown too many codes that lead nowhere; its codes are refused for up to ten minutes."
        case .unprovenClicksByAddress:
            "A network has sent too many links with the SDK key alone; they are refused for up to ten minutes."
        case .clicksByAddress:
            "A network has sent too many clicks; for up to ten minutes its people are sent on and its clicks only counted."
        case .inventedClicksByAddress:
            "A network has sent too many clicks on paths that no link has; for up to ten minutes they are only counted."
        case .diskForClicks: "Less than a tenth of the disk is free; clicks are only counted."
        case .lateOpenings:
            "The store has left too many first opens unanswered; further ones are answered without being given to it."
        case .held: "This node holds as many answers as it may; further ones are given at once."
        case .heldByAddress: "A network holds as many answers as it may; its further ones are given at once."
        case .heldByInstall: "An install holds as many answers as it may; its further ones are given at once."
        case .answerTime: "A held answer was not read to its end within its time; its connection was cut."
        case .connections: "This node has as many connections as it may; further ones are told to come back, or closed."
        case .connectionsByAddress: "An address has as many connections as it may; further ones are closed."
        case .openFiles: "The system lets this process open no more files and connections; it accepts none for a moment."
        case .silentConnection: "A connection asked for nothing; it was closed."
        case .unreadAnswer: "An answer was left unread; its connection was cut."
        case .disk: "The disk is nearly full; writes are refused."
        case .writer: "More writes wait for the store than may wait; further ones are told to come back."
        }
    }
}
