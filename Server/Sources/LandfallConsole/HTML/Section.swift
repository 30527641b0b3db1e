// SPDX-License-Identifier: Apache-2.0

/// The sections of the menu, by what a member does there.
enum SectionGroup: CaseIterable, Sendable {
    case watch
    case reports
    case configure
    case people
    case settings

    var sections: [Frame.Section] {
        switch self {
        case .watch: [.overview, .live]
        case .configure: [.links, .placements, .audiences, .paywalls, .versions]
        case .reports: [.campaigns, .revenue, .funnel, .retention, .linkReport, .paywallReport, .experiments]
        case .people: [.profiles]
        case .settings: [.members, .audit, .keys, .webhooks, .api, .health, .account, .help]
        }
    }
}

extension Frame.Section {
    var right: Right {
        switch self {
        case .overview: .reports
        case .campaigns: .reports
        case .linkReport: .reports
        case .paywallReport: .reports
        case .funnel: .reports
        case .retention: .reports
        case .revenue: .reports
        case .experiments: .reports
        case .placements, .audiences, .paywalls: .configuration
        case .links: .reports
        case .live, .account, .api, .help: .account
        case .profiles, .webhooks: .people
        case .versions: .configuration
        case .members, .audit: .members
        case .health: .operating
        case .keys: .operating
        }
    }

    var place: Place {
        switch self {
        case .overview: Place("/console")
        case .live: Place("/console/live")
        case .campaigns: Place("/console/reports", ["campaigns"])
        case .linkReport: Place("/console/reports", ["links"])
        case .paywallReport: Place("/console/reports", ["paywalls"])
        case .funnel: Place("/console/reports", ["funnel"])
        case .retention: Place("/console/reports", ["retention"])
        case .revenue: RevenueQuery().place
        case .experiments: Place("/console/experiments")
        case .placements: Place("/console/placements")
        case .audiences: Place("/console/audiences")
        case .paywalls: Place("/console/paywalls")
        case .versions: Place("/console/versions")
        case .links: Place("/console/links")
        case .profiles: Place("/console/profiles")
        case .members: Place("/console/settings/members")
        case .audit: Place("/console/settings/audit")
        case .account: Place("/console/account")
        case .health: Place("/console/health")
        case .keys: Place("/console/settings/keys")
        case .api: Place("/console/api")
        case .webhooks: Place("/console/webhooks")
        case .help: Place("/console/help")
        }
    }
}

extension Words {
    func name(of group: SectionGroup) -> String {
        switch group {
        case .watch: translate("Watch")
        case .reports: translate("Reports")
        case .configure: translate("Configure")
        case .people: translate("People")
        case .settings: translate("Settings")
        }
    }

    func name(of section: Frame.Section) -> String {
        switch section {
        case .overview: overview
        case .live: live
        case .campaigns: campaigns
        case .linkReport: linkReport
        case .paywallReport: paywallReport
        case .funnel: funnelReport
        case .retention: retentionReport
        case .revenue: revenue
        case .experiments: experiments.title
        case .placements: placements
        case .audiences: audiences
        case .paywalls: paywalls
        case .versions: versions.title
        case .links: links
        case .profiles: profiles
        case .members: members
        case .audit: auditLog
        case .account: account
        case .health: health
        case .keys: keysTitle
        case .api: apiReference
        case .webhooks: webhooksTitle
        case .help: help
        }
    }
}
