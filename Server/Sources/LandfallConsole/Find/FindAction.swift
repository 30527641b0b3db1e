// SPDX-License-Identifier: Apache-2.0

/// What somebody may want to do from any page: the way to its form.
enum FindAction: CaseIterable, Sendable {
    case makeLink, importLinks, newPaywall, newAudience, newPlacement, newExperiment, editConfiguration, invite

    /// Those that the member may do; a configuration that a file owns is changed there.
    static func all(for frame: Frame) -> [FindAction] {
        allCases.filter { frame.can($0.right) && !(frame.isFileOwned && $0.right == .publishing) }
    }

    private var right: Right {
        switch self {
        case .makeLink, .importLinks: .links
        case .newPaywall, .newAudience, .newPlacement, .newExperiment, .editConfiguration: .publishing
        case .invite: .members
        }
    }

    var place: Place {
        switch self {
        case .makeLink: Place("/console/links/new")
        case .importLinks: Place("/console/links/import")
        case .newPaywall: NewEntryPage.Kind.paywall.place
        case .newAudience: NewEntryPage.Kind.audience.place
        case .newPlacement: NewEntryPage.Kind.placement.place
        case .newExperiment: NewEntryPage.Kind.experiment.place
        case .editConfiguration: Place("/console/versions/draft")
        case .invite: Frame.Section.members.place
        }
    }
}

extension Words {
    func name(of action: FindAction) -> String {
        switch action {
        case .makeLink: linkNew
        case .importLinks: linkImport
        case .newPaywall: new(.paywall)
        case .newAudience: new(.audience)
        case .newPlacement: new(.placement)
        case .newExperiment: new(.experiment)
        case .editConfiguration: versions.edit
        case .invite: invite
        }
    }
}
