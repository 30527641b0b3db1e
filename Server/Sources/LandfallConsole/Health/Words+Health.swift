// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer

/// How the server is doing.
extension Words {
    var health: String { translate("Health", context: "of the server") }
    var healthNote: String { translate("What this node knows about itself") }
    var healthGood: String { translate("No check has found a problem.") }
    func healthBad(_ count: Int, of all: Int) -> String { translate("\(count) of \(all) checks are not in order.") }
    var healthChecks: String { translate("Checks") }
    var inOrder: String { translate("In order") }
    var notInOrder: String { translate("Problem") }
    var toDo: String { translate("To do") }
    var notCheckedHere: String { translate("Not checked here") }
    var outsideChecks: String {
        translate("This command also looks from outside: DNS, certificates, association files, proxies.")
    }
    var releaseOfServer: String { translate("Release") }
    var runningFor: String { translate("Running for") }
    var servedVersion: String { translate("Configuration version", context: "of the server") }
    var openConnections: String { translate("Connections") }
    var heldCalls: String { translate("Held answers") }
    var liveWatchers: String { translate("Pages that watch live") }

    var testNotification: String { translate("Test notification") }
    var sendTest: String { translate("Ask the App Store for a test notification") }
    var testHint: String { translate("It takes up to half a minute. The command also says what to do, and tests the sandbox.") }
    func testArrived(afterMs: Int64) -> String { translate("The last one arrived here after \(milliseconds(afterMs)).") }
    /// - Parameter result: Apple's word; nil if Apple has not tried.
    func testLost(_ result: String?) -> String {
        guard let result else { return translate("Apple has not posted the last one.") }
        return translate("The last one did not arrive. Apple says: \(result).")
    }

    /// The two largest units of a time: 3 days 4 hours.
    func span(_ milliseconds: Int64) -> String {
        let minutes = max(milliseconds, 0) / 60_000, days = minutes / 1_440, hours = minutes / 60 % 24
        if days > 0 { return joined(day(days), hours > 0 ? hour(hours) : nil) }
        if hours > 0 { return joined(hour(hours), minutes % 60 > 0 ? minute(minutes % 60) : nil) }
        return minutes > 0 ? minute(minutes) : translate("less than a minute")
    }

    private func joined(_ first: String, _ second: String?) -> String { second.map { first + " " + $0 } ?? first }
    private func day(_ count: Int64) -> String { translate(count, one: "1 day", other: "\(count) days") }
    private func hour(_ count: Int64) -> String { translate(count, one: "1 hour", other: "\(count) hours") }
    private func minute(_ count: Int64) -> String { translate(count, one: "1 minute", other: "\(count) minutes") }
}

/// The names of the checks, what they found, and what to do.
extension Words {
    func name(of finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store: translate("Store")
        case .writes: translate("Writes")
        case .disk: translate("Disk")
        case .configuration: translate("Configuration", context: "of the server")
        case .configurationFile: translate("Configuration file")
        case .reports: translate("Reports")
        case .jobs: translate("Background work")
        case .backup: translate("Backup")
        case .stream: translate("Stream of the store")
        case .held: heldCalls
        case .connections: openConnections
        case .appStore: translate("Questions to the App Store")
        case .forwarding: translate("Second receiver")
        case .exports: translate("Files of each day")
        case .webhooks: webhooksTitle
        case .keys: translate("Keys")
        case .shared(let finding): name(of: finding)
        }
    }

    func sentence(_ finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store(nil): translate("Nothing damaged was met.")
        case .store(let text?): translate("The store is damaged: \(text).")
        case .writes(let text?, _): translate("The last write failed: \(text)")
        case .writes(nil, let waiting): translate("Writes succeed; \(waiting) wait.")
        case .disk(let free): translate("\(part(free)) of the disk is free.")
        case .configuration(let served, let newest) where newest > served:
            translate("Version \(served) is served; version \(newest) cannot be served here.")
        case .configuration(let served, _): translate("Version \(served) is served, and is the newest.")
        case .configurationFile(let problem, let served):
            translate("The server's file was refused; version \(served) of the store is served. \(problem)")
        case .reports(nil, _): translate("The first days are not counted yet.")
        case .reports(let behind?, _):
            behind < 60_000
                ? translate("The counted days are complete.")
                : translate("The counted days are \(span(behind)) behind.")
        case .jobs(let late, let failing, _):
            late.isEmpty && failing.isEmpty
                ? translate("No work is late.")
                : (late.map { sentence($0) } + failing.map { sentence($0) }).joined(separator: " ")
        case .backup(let age, let isShared): sentence(ofBackup: age) + (isShared ? " " + backupsElsewhere : "")
        case .stream(let failure?, let behind): joined(translate("Changes are not sent. \(failure)"), behind.map(reached))
        case .stream(nil, nil): translate("The first whole copy is not there yet.")
        case .stream(nil, let behind?): reached(behind)
        case .held(let count, let most): sentence(count, of: most)
        case .connections(let count, let most): sentence(count, of: most)
        case .appStore(let problem?, _): translate("The App Store cannot be asked. \(problem)")
        case .appStore(nil, nil): translate("The App Store was not asked yet.")
        case .appStore(nil, let age?): translate("The App Store was asked \(span(age)) ago for what this server had not heard.")
        case .forwarding(let waiting, 0): translate("\(waiting) notifications wait for it.")
        case .forwarding(let waiting, let lost): translate("\(waiting) notifications wait for it; \(lost) were given up.")
        case .exports(let failure?, _): translate("They cannot be written. \(failure)")
        case .exports(nil, let day?): translate("The last whole day is \(day).")
        case .exports(nil, nil): translate("No day is whole yet.")
        case .webhooks(let told): sentence(told)
        case .keys(false, _): translate("Every SDK key has ended: no app can call.")
        case .keys(true, let ending) where ending.isEmpty: translate("No key ends within 30 days.")
        case .keys(true, let ending): translate("Keys that end soon: \(list(ending)).")
        case .shared(let finding): sentence(finding)
        }
    }

    private func sentence(_ count: Int, of most: Int) -> String {
        let count = language.count(Int64(count)), most = language.count(Int64(most))
        return translate("\(count) of at most \(most).")
    }

    private func sentence(_ late: HealthCheck.LateWork) -> String {
        let name = self.name(of: late.kind), span = self.span(late.lateMs), since = moment(late.sinceMs)
        return translate("\(name): \(span) late, since \(since) \(clock.zone).")
    }

    private func sentence(_ failing: HealthCheck.FailingWork) -> String {
        let name = self.name(of: failing.kind), attempts = language.count(failing.attempts)
        return translate("\(name): failed at each of the last \(attempts) tries.")
    }

    private func sentence(ofBackup ageMs: Int64?) -> String {
        guard let ageMs else { return translate("This store knows of no backup.") }
        return translate("The last backup is \(span(ageMs)) old.")
    }

    private var backupsElsewhere: String { translate("Backups of the database are the task of those who run PostgreSQL.") }

    private func reached(_ behindMs: Int64) -> String { translate("What was stored up to \(span(behindMs)) ago can be restored from it.") }

    private func sentence(_ told: HealthFacts.Told) -> String {
        let state =
            told.off + told.failing == 0
            ? translate("All endpoints take their messages; \(told.waiting) wait.")
            : translate("Endpoints that are off: \(told.off); that take nothing: \(told.failing). Messages that wait: \(told.waiting).")
        return told.dropped == 0 ? state : state + " " + translate("Messages that had to make room for newer ones: \(told.dropped).")
    }

    /// What to do about it; for every check, whether or not it is needed.
    func fix(_ finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store: translate("Stop the server and restore a backup.")
        case .writes: translate("Look at the disk and at the server's log.")
        case .disk: translate("Free some space: below 5 % writes are refused.")
        case .configuration: translate("Correct the configuration, or update this node to the release that published it.")
        case .configurationFile: translate("Correct the file, then give the command 'landfall reload'.")
        case .reports(_, isCatchingUp: true), .jobs(_, _, isCatchingUp: true):
            translate("This node has just started and does what is left. If it takes longer than ten minutes, look at the server's log.")
        case .reports, .jobs: translate("Look at the server's log, and whether the disk is busy.")
        case .backup(_, isShared: true): translate("Let the database's own tools do it every day, or 'landfall backup' beside the nodes.")
        case .backup: translate("Make a backup, and repeat it every day.")
        case .stream: translate("Look at the place that '--stream-to' names, and at the server's log.")
        case .held, .connections: translate("Raise the limit, or add a machine in front.")
        case .appStore: translate("Correct 'purchases.api', or look at the server's log.")
        case .forwarding: translate("Look at the receiver of 'purchases.notify': it answers 200 to 299 within 15 seconds.")
        case .exports: translate("Correct 'exports' or the keys of the bucket, and look at the server's log.")
        case .webhooks: translate("Look at the deliveries, correct the receiver, and switch it on again where it is off.")
        case .keys: translate("Add the next key below 'keys', and ship apps and backends with it.")
        case .shared(let finding): fix(finding)
        }
    }

    private func part(_ share: Double) -> String { language.share(share) }

    private func list(_ ending: [HealthCheck.EndingKey]) -> String {
        ending.map { "\($0.name) (\(Language.calendar($0.endsAtMs).date) UTC)" }.joined(separator: ", ")
    }
}

/// The kinds of background work.
extension Words {
    fileprivate func name(of kind: JobKind) -> String {
        switch kind {
        case .alerts: translate("Alerts")
        case .appleAds: translate("Ad tokens for Apple")
        case .appleAdsReports: translate("Names and spend of Apple Ads")
        case .appStoreForwarding: name(of: HealthCheck.Finding.forwarding(waiting: 0, givenUp: 0))
        case .appStoreReconcile: name(of: HealthCheck.Finding.appStore(problem: nil, askedMs: nil))
        case .dailyExports: name(of: HealthCheck.Finding.exports(failure: nil, lastDay: nil))
        case .erasure: translate("Erasing people")
        case .notification: name(of: AlertRule.notificationsSilent)
        case .purchaseRules: translate("Purchases by the newest rules")
        case .recounts: translate("Counting days again")
        case .retention: translate("Deleting what has expired")
        case .rollups: translate("Counting for reports")
        case .scheduledVersion: translate("Scheduled versions")
        case .webhooks: webhooksTitle
        default: kind.rawValue
        }
    }
}
