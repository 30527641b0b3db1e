// SPDX-License-Identifier: Apache-2.0

/// What a member of the console is.
package enum Role: String, CaseIterable, Sendable {
    case owner, admin, editor, viewer, support

    var rights: Set<Right> {
        switch self {
        case .owner: Set(Right.allCases)
        case .admin: Set(Right.allCases).subtracting([.owners])
        case .editor: [.account, .reports, .people, .links, .configuration, .publishing]
        case .viewer: [.account, .reports, .configuration]
        case .support: [.account, .people, .erasing]
        }
    }
}

/// What a page or a form of the console needs.
package enum Right: String, CaseIterable, Sendable {
    /// The member's own account, and the pages that every member sees.
    case account
    /// Numbers about many people.
    case reports
    /// What one person did.
    case people
    /// Erases a person for good.
    case erasing
    /// Makes, changes and removes links.
    case links
    /// Reads the configuration: placements, audiences, paywalls, versions.
    case configuration
    /// Changes and publishes it.
    case publishing
    /// Reads how the server is doing, and which keys exist; sends webhooks again.
    case operating
    /// Invites, changes and removes members, and reads the audit log.
    case members
    /// The same with owners.
    case owners

    /// The roles that have it, the strongest first.
    var roles: [Role] { Role.allCases.filter { $0.rights.contains(self) } }
}
