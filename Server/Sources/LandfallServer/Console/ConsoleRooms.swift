// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// The rooms of the console, each made from the parts that it needs.
extension Services {
    /// Every page and form, room by room.
    var consoleRoutes: [ConsoleRoute] {
        let edits = ConsolePublishing(publishing: publishing, measuring: impactMeasuring, app: snapshot.app.id)
        return [
            entranceRoutes,
            ConsoleRoute.health(HealthPageRoutes(reading: healthReading)),
            ConsoleRoute.keys(KeysPageRoutes(store: keyUses)),
            ConsoleRoute.reports(ReportPageRoutes(reports: reports)),
            ConsoleRoute.editing(ConsoleRoute.configuration(configurationRoutes)),
            ConsoleRoute.editing(ConsoleRoute.versions(VersionRoutes(publishing: edits))),
            linkRoutesOfConsole,
            profileRoutes,
            ConsoleRoute.experiments(experimentRoom, edits),
        ].flatMap { $0 }
    }

    var sessions: SessionStore { SessionStore(database: database, app: snapshot.app.id) }
    var invitations: Invitations { Invitations(database: database, app: snapshot.app.id) }

    private var entranceRoutes: [ConsoleRoute] {
        let app = snapshot.app.id, sessions = sessions, invitations = invitations
        let members = MemberStore(database: database, app: app), audit = AuditLog(database: database, app: app)
        let entering = SignInRoutes(
            members: members, sessions: sessions, invitations: invitations, audit: audit, console: console, bounds: bounds)
        let account = AccountRoutes(members: members, sessions: sessions, audit: audit, console: console, bounds: bounds)
        let live = LiveRoutes(
            feed: console.live, startedAtMs: console.startedAtMs, people: LivePeople(database: database, app: app), sessions: sessions,
            time: time)
        return ConsoleRoute.entrance(entering, account)
            + ConsoleRoute.first(
                OverviewRoutes(reports: reports, database: database), SetupHiding(database: database, app: app), live)
            + ConsoleRoute.team(
                TeamRoutes(members: members, invitations: invitations, console: console), AuditRoutes(audit: audit))
    }

    private var healthReading: HealthReading {
        HealthReading(
            database: database, configuration: configuration, holds: holds, connections: connections, console: console, time: time)
    }

    private var configurationRoutes: ConfigurationRoutes {
        ConfigurationRoutes(
            store: ConfigurationStore(database), installs: sampledInstalls, console: console, owner: configurationOwner)
    }

    private var linkRoutesOfConsole: [ConsoleRoute] {
        let numbers = LinkNumbers(reports: reports, database: database, time: time)
        return ConsoleRoute.links(
            ConsoleLinkRoutes(links: links, numbers: numbers), importing: LinkImportRoutes(links: links),
            changing: LinkChangeRoutes(links: links))
    }

    private var profileRoutes: [ConsoleRoute] {
        let app = snapshot.app.id, reading = ProfileReading(database: database, installs: installs, app: app)
        return ConsoleRoute.profiles(
            ProfilePageRoutes(search: ProfileSearch(database: database, app: app), reading: reading, erasing: erasing),
            WhyRoutes(reading: reading, explanations: explanations))
    }

    private var experimentRoom: ExperimentRoom {
        ExperimentRoom(experiments: experiments, isFileOwned: configurationOwner == .file)
    }
}
