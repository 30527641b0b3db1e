// SPDX-License-Identifier: Apache-2.0

/// A revision of the Model Context Protocol that begins with a handshake. The day is its name.
enum MCPVersion: String, CaseIterable, Comparable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"

    /// The revision of a session: the one that the client asked for, or the newest one here. A client that cannot speak that ends the session.
    init(askedFor name: String) { self = MCPVersion(rawValue: name) ?? .november2025 }

    static func < (one: MCPVersion, other: MCPVersion) -> Bool { one.rawValue < other.rawValue }

    /// Several messages in one line were possible in one revision only.
    var takesBatches: Bool { self == .march2025 }
    /// Whether a tool reads or writes.
    var hasAnnotations: Bool { self >= .march2025 }
    /// Titles of tools, and answers as JSON.
    var hasStructure: Bool { self >= .june2025 }
}
