// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire
package import Logging

/// Makes versions of the configuration from texts: reads the texts, shows their changes, and publishes them, now or at a given
/// time.
package struct VersionPublisher: Sendable, Redacted {
    /// The longest message, in bytes.
    package static let longestMessage = 1_000
    private static let mostTries = 8

    package let serving: ConfigurationActivation
    package let store: ConfigurationStore
    package let schedule: ScheduledVersions
    package let time: ServerTime
    package let secrets: SecretEnvironment
    package let owner: ConfigurationOwner
    package let installs: SampledInstalls

    package init(
        serving: ConfigurationActivation, store: ConfigurationStore, schedule: ScheduledVersions, time: ServerTime,
        secrets: SecretEnvironment, owner: ConfigurationOwner, installs: SampledInstalls
    ) {
        self.serving = serving
        self.store = store
        self.schedule = schedule
        self.time = time
        self.secrets = secrets
        self.owner = owner
        self.installs = installs
    }

    /// False for a message that is too long or has control characters, which a terminal would obey.
    package static func isMessage(_ text: String) -> Bool {
        text.utf8.count <= longestMessage && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// The author of a version.
    package struct Author: Hashable, Sendable {
        package let name: String
        package let mayChangeEverything: Bool
        /// False for a member who may change everything but owners.
        package let mayMakeOwners: Bool
        /// May see single people, and therefore numbers about few people.
        package var seesPeople = false

        package init(name: String, mayChangeEverything: Bool, mayMakeOwners: Bool? = nil, seesPeople: Bool = false) {
            (self.name, self.mayChangeEverything, self.seesPeople) = (name, mayChangeEverything, seesPeople)
            self.mayMakeOwners = mayMakeOwners ?? mayChangeEverything
        }
    }

    package struct Order: Sendable {
        package let text: String
        /// The version that the text was made from; nil accepts any newest version.
        package var base: Int64?
        package let author: Author
        package var message = ""
        /// The time of publication; nil publishes now.
        package var atMs: Int64?
        /// Is stored with a version that is published later, in the same unit.
        package var scheduling: [Statement] = []
        /// True only shows what the text would change.
        package var isDry = false
        /// Is stored with a new version, in the same unit.
        package var further: @Sendable (Int64) -> [Statement] = { _ in [] }

        package init(
            text: String, base: Int64? = nil, author: Author, message: String = "", atMs: Int64? = nil, scheduling: [Statement] = [],
            isDry: Bool = false, further: @escaping @Sendable (Int64) -> [Statement] = { _ in [] }
        ) {
            self.text = text
            self.base = base
            self.author = author
            self.message = message
            self.atMs = atMs
            self.scheduling = scheduling
            self.isDry = isDry
            self.further = further
        }
    }

    /// - Throws: ``PublishingRefusal``, and the errors of the store.
    package func carryOut(_ order: Order, _ logger: Logger) async throws -> PublishingAnswer {
        let reading = ReadConfiguration(yaml: order.text, secrets: secrets)
        var answer = try await published(order, reading, logger)
        // The count is made after the version is served, so that phones do not wait for it.
        answer.warnings += await remarks(reading.warnings(nowMs: time.nowMs()), seesPeople: order.author.seesPeople, logger)
        return answer
    }

    /// The warnings of a file. A warning about a value that installs lack says how many installs lack it.
    private func remarks(_ warnings: [ConfigurationProblem], seesPeople: Bool, _ logger: Logger) async -> [ConfigurationRemark] {
        let lacked = LackedValues(warnings), served = serving.live.snapshot
        guard !lacked.isEmpty else { return lacked.remarks(seesPeople: seesPeople) }
        do {
            return try await installs.tally(lacked, of: LackedValues.sample, numbers: SystemRandomNumberGenerator()) {
                $0.look(at: served.facts(of: $1, nowMs: $2))
            }.remarks(seesPeople: seesPeople)
        } catch {
            logger.warning("Installs that lack a value were not counted.", metadata: ["error.text": "\(error)"])
            return lacked.remarks(seesPeople: seesPeople)
        }
    }

    private func published(
        _ order: Order, _ reading: ReadConfiguration, _ logger: Logger
    ) async throws -> PublishingAnswer {
        let configuration = try usable(reading)
        for _ in 0..<Self.mostTries {
            let newest = try await store.newest()
            if let base = order.base, base != newest?.number ?? 0 {
                throw try await stale(base, newest, reading)
            }
            let changes = ConfigurationChanges(from: newest.flatMap { Self.root(of: $0.text) }, to: reading.root)
            var answer = PublishingAnswer(base: newest?.number ?? 0, changes)
            let epochs = try await store.epochs(of: configuration, order.text, after: newest)
            answer.warnings += try await remarks(on: epochs, reading)
            let refusal = refusal(of: order.author, changes)
            if order.isDry {
                answer.refusal = refusal
                if let refusal { answer.warnings.append(.refused(refusal)) }
                return answer
            }
            if let refusal { throw refusal }
            let draft = ConfigurationStore.Draft(text: order.text, author: order.author.name, message: order.message)
            if let atMs = order.atMs {
                answer.scheduled = try await schedule.add(draft, base: answer.base, atMs: atMs, nowMs: time.nowMs(), with: order.scheduling)
                return answer
            }
            switch try await store.publish(draft, after: answer.base, nowMs: time.nowMs(), opening: epochs, with: order.further) {
            case .published(let number), .unchanged(let number):
                serving.serve(try await store.snapshot(configuration, number), logger)
                answer.version = number
                return answer
            case .stale: continue
            }
        }
        throw PublishingRefusal.crowded
    }

    /// Which experiments begin another epoch.
    /// - Throws: ``PublishingRefusal/invalid(_:)`` for an epoch that is lower than the store's.
    private func remarks(on epochs: ExperimentEpochs, _ reading: ReadConfiguration) async throws -> [ConfigurationRemark] {
        try await openings(of: epochs, reading).compactMap { opening in
            opening.sentence.map { Self.remark($0, on: opening.experiment, in: reading) }
        }
    }

    /// - Throws: ``PublishingRefusal/invalid(_:)`` for an epoch that is lower than the store's.
    private func openings(of epochs: ExperimentEpochs, _ reading: ReadConfiguration) async throws -> [ExperimentEpochs.Begun] {
        do { return try await store.openings(epochs) } catch let error as EpochIsLower {
            let remark = Self.remark(error.description, on: error.experiment, in: reading)
            throw PublishingRefusal.invalid(ConfigurationProblems(problems: [remark], warnings: reading.listed.warnings))
        }
    }

    private static func remark(
        _ message: String, on experiment: ExperimentID, in reading: ReadConfiguration
    ) -> ConfigurationRemark {
        let node = reading.root?["experiments"]?[experiment.rawValue]
        let place = node?["epoch"]?.place ?? node?.place ?? .start
        return .init(
            line: place.line, column: place.column, path: reading.root?.path(toNode: place.node) ?? "", message: message)
    }

    /// The configuration of a text, if it could be published here.
    /// - Throws: ``PublishingRefusal/invalid(_:)``.
    package func read(_ text: String) throws -> (configuration: Configuration, warnings: [ConfigurationProblem]) {
        let reading = ReadConfiguration(yaml: text, secrets: secrets)
        return (try usable(reading), reading.warnings)
    }

    /// A text as it would be served if it were published now.
    /// - Parameter number: of the version that it was made from.
    /// - Throws: ``PublishingRefusal/invalid(_:)``.
    package func draft(_ text: String, after number: Int64) async throws -> (snapshot: Snapshot, warnings: [ConfigurationProblem]) {
        let reading = ReadConfiguration(yaml: text, secrets: secrets)
        let configuration = try usable(reading)
        let openings = try await openings(of: store.epochs(of: configuration, text, after: store.newest()), reading)
        return (try await store.draft(configuration, openings, after: number), reading.warnings)
    }

    /// The sections in which two texts differ.
    package func sections(changedFrom old: String?, to new: String) -> Set<String> {
        ConfigurationChanges(from: old.flatMap { Self.root(of: $0) }, to: Self.root(of: new)).sections
    }

    /// Publishes the text of an older version as the newest version.
    package func rollBack(
        to number: Int64, base: Int64?, by author: Author, message: String, with further: @escaping @Sendable (Int64) -> [Statement] = { _ in [] },
        _ logger: Logger
    ) async throws -> PublishingAnswer {
        guard let version = try await store.version(number) else { throw PublishingRefusal.unknownVersion(number) }
        return try await carryOut(Order(text: version.text, base: base, author: author, message: message, further: further), logger)
    }

    /// Publishes a scheduled version whose time has come.
    /// - Returns: the reason why it was not published; nil if it was published, now or before.
    func publishScheduled(_ id: String, _ logger: Logger) async throws -> String? {
        guard let scheduled = try await schedule.find(id), scheduled.state == .waiting else { return nil }
        do {
            try await publish(scheduled, logger)
            return nil
        } catch let refusal as PublishingRefusal {
            // The job tries this again.
            if case .crowded = refusal { throw refusal }
            try await fail(scheduled, because: refusal.description)
            return refusal.description
        } catch let conflict as ScheduleConflict {
            try await fail(scheduled, because: conflict.description)
            return conflict.description
        } catch is ConfigurationStore.WaitsNoMore {
            return nil
        }
    }

    private func fail(_ scheduled: ScheduledVersion, because reason: String) async throws {
        let subject = scheduled.draft.message.isEmpty ? reason : scheduled.draft.message.cut(toBytes: 200) + ": " + reason
        let line = AuditLine(action: .versionFailed, member: scheduled.draft.author, subject: subject, network: nil), nowMs = time.nowMs()
        let entry = line.insertion(into: schedule.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        try await schedule.fail(scheduled.id, because: reason, with: [entry])
    }

    private func publish(_ scheduled: ScheduledVersion, _ logger: Logger) async throws {
        let reading = ReadConfiguration(yaml: scheduled.draft.text, secrets: secrets)
        let configuration = try usable(reading)
        if owner == .file { throw PublishingRefusal.ownedByFile }
        for _ in 0..<Self.mostTries {
            let newest = try await store.newest()
            if let newest, newest.number != scheduled.base {
                try await checkConflict(scheduled, reading, newest)
            }
            let epochs = try await store.epochs(of: configuration, scheduled.draft.text, after: newest)
            _ = try await openings(of: epochs, reading)
            let nowMs = time.nowMs()
            let line = AuditLine(
                action: .versionWentLive, member: scheduled.draft.author, subject: scheduled.draft.message, network: nil)
            let publication = try await store.publish(
                scheduled.draft, after: newest?.number ?? 0, nowMs: nowMs, opening: epochs, ending: schedule.ending(scheduled.id),
                with: line.insertion(into: schedule.app, nowMs: nowMs))
            switch publication {
            case .published(let number), .unchanged(let number):
                return serving.serve(try await store.snapshot(configuration, number), logger)
            case .stale: continue
            }
        }
        throw PublishingRefusal.crowded
    }

    /// A scheduled file contains the whole configuration, so it would undo what was published after it was made.
    private func checkConflict(
        _ scheduled: ScheduledVersion, _ reading: ReadConfiguration, _ newest: ConfigurationStore.Version
    ) async throws {
        let base = try await store.version(scheduled.base)
        let newestRoot = Self.root(of: newest.text)
        let meanwhile = ConfigurationChanges(from: base.flatMap { Self.root(of: $0.text) }, to: newestRoot)
        let own = ConfigurationChanges(from: newestRoot, to: reading.root)
        let undone = meanwhile.listed.first { change in own.listed.contains { $0.concerns(theSameAs: change) } }
        if undone != nil || meanwhile.unlisted + own.unlisted > 0 && !own.isEmpty {
            throw ScheduleConflict(base: scheduled.base, newest: newest.number, undone: undone?.sentence)
        }
    }

    /// The configuration, if it can be served here.
    private func usable(_ reading: ReadConfiguration) throws -> Configuration {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try reading.requireConfiguration()
        } catch {
            throw PublishingRefusal.invalid(reading.listed)
        }
        do throws(AppChange) {
            try serving.check(configuration.app)
        } catch let change {
            let place = reading.root?["app"]?["id"]?.place ?? .start
            let remark = ConfigurationRemark(line: place.line, column: place.column, path: "app.id", message: "\(change)")
            throw PublishingRefusal.invalid(ConfigurationProblems(problems: [remark], warnings: reading.listed.warnings))
        }
        return configuration
    }

    private func refusal(of author: Author, _ changes: ConfigurationChanges) -> PublishingRefusal? {
        if owner == .file { return .ownedByFile }
        if author.mayChangeEverything, author.mayMakeOwners { return nil }
        let kept = author.mayChangeEverything ? Configuration.ownerSections : Configuration.protectedSections
        let protected = changes.sections.intersection(kept)
        return protected.isEmpty ? nil : .protected(protected)
    }

    private func stale(_ base: Int64, _ newest: ConfigurationStore.Version?, _ reading: ReadConfiguration) async throws -> PublishingRefusal {
        let version = base == 0 ? nil : try await store.version(base)
        guard version != nil || base == 0 else { return .unknownVersion(base) }
        let root = version.flatMap { Self.root(of: $0.text) }
        return .stale(
            StaleBase(
                base: base, newest: newest?.number ?? 0,
                changes: ConfigurationChanges(from: root, to: newest.flatMap { Self.root(of: $0.text) }).listed,
                proposed: ConfigurationChanges(from: root, to: reading.root).listed))
    }

    package static func root(of text: String) -> ConfigurationNode? {
        var source = ConfigurationText()
        return source.parse(text)
    }
}

/// The changes that were published after a version was scheduled, and that the version would undo.
struct ScheduleConflict: Error, Hashable, CustomStringConvertible {
    let base: Int64
    let newest: Int64
    /// Nil if there are too many changes to name.
    let undone: String?

    var description: String {
        "It was made from version \(base). Version \(newest) was published since, and this one would undo it"
            + (undone.map { ": \($0)" } ?? "") + ". Make it again from version \(newest), and schedule that."
    }
}

extension ReadConfiguration {
    var listed: ConfigurationProblems {
        ConfigurationProblems(
            problems: problems.map(ConfigurationRemark.init), warnings: warnings.map(ConfigurationRemark.init))
    }
}

extension ConfigurationRemark {
    package static func refused(_ refusal: PublishingRefusal) -> Self { wholeFile("It would not be published. \(refusal)") }

    package static func wholeFile(_ message: String) -> Self { Self(line: 1, column: 1, path: "", message: message) }
}
