// SPDX-License-Identifier: Apache-2.0

/// The sections of the menu, by what a member does there.
enum SectionGroup: CaseIterable, Sendable {
    case watch
    case settings

    var sections: [Frame.Section] {
        switch self {
        case .watch: [.overview, .live]
        case .settings: [.members, .audit, .keys, .health, .account]
        }
    }
}

extension Frame.Section {
    var right: Right {
        switch self {
        case .overview: .reports
        case .live, .account: .account
        case .members, .audit: .members
        case .health: .operating
        case .keys: .operating
        }
    }

    var place: Place {
        switch self {
        case .overview: Place("/console")
        case .live: Place("/console/live")
        case .members: Place("/console/settings/members")
        case .audit: Place("/console/settings/audit")
        case .account: Place("/console/account")
        case .health: Place("/console/health")
        case .keys: Place("/console/settings/keys")
        }
    }
}

extension Words {
    func name(of group: SectionGroup) -> String {
        switch group {
        case .watch: say("Watch", "確認", "查看")
        case .settings: say("Settings", "設定", "设置")
        }
    }

    func name(of section: Frame.Section) -> String {
        switch section {
        case .overview: overview
        case .live: live
        case .members: members
        case .audit: auditLog
        case .account: account
        case .health: health
        case .keys: keysTitle
        }
    }
}
