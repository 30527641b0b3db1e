// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
package import LandfallStore

/// Examines an open store without changing it.
package struct StoreDoctor: Sendable {
    let database: any Database
    private let environment: @Sendable (String) -> String?

    /// - Parameter knowsSecrets: this process has the environment that the configuration is served with. If not, any value
    ///   stands for a secret.
    package init(_ database: any Database, knowsSecrets: Bool) {
        self.database = database
        environment = { knowsSecrets ? ProcessEnvironment.value(of: $0) : ProcessEnvironment.anySecret(of: $0) }
    }

    /// - Parameter whole: reads the whole store, which takes time in proportion to its size.
    package func findings(whole: Bool) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if let store = database as? any StoreExamining {
            findings.append(await durability(store))
            findings.append(await damage(store, whole: whole))
            findings.append(await schema(store))
            findings += await conditions(store)
        }
        let (configuration, served) = await configuration()
        findings.append(configuration)
        if let backup = await backup(whole: whole) { findings.append(backup) }
        if let served {
            if let clock = await clock(of: served.app.id) { findings.append(clock) }
            findings += await appleAds(served)
            findings += await appStore(of: served)
            findings += await webhooks(of: served)
            if let exports = await exports(of: served) { findings.append(exports) }
        }
        return findings
    }

    private func durability(_ store: any StoreExamining) async -> DoctorFinding {
        do {
            try await store.checkDurability()
            return .good("durability", "Every commit is synced to disk before it is answered.")
        } catch DatabaseError.unsuitable(let text, let remedy) {
            return .bad("durability", "The database does not suit: \(text).", fix: remedy)
        } catch {
            return .bad("durability", "\(error)", fix: "Put the folder on a local disk.")
        }
    }

    private func damage(_ store: any StoreExamining, whole: Bool) async -> DoctorFinding {
        do {
            let damages = try await store.damages(whole: whole)
            if let first = damages.first {
                return .damaged(damages.count == 1 ? first : "\(first); and \(damages.count - 1) more")
            }
            if let met = store.metDamage { return .damaged(met) }
            let all = database.isShared ? "Every row was read; nothing is damaged." : "Every page and every index was read; nothing is damaged."
            return .good("store", whole ? all : "A quick look found no damage.")
        } catch {
            return .bad(
                "store", "\(error)", fix: "Look at the log of the system (dmesg): the disk may fail. Copy the folder to another disk, then look again.")
        }
    }

    private func conditions(_ store: any StoreExamining) async -> [DoctorFinding] {
        do {
            return try await store.conditions().map { DoctorFinding($0) }
        } catch {
            return [.bad("database", "\(error)", fix: "Look at the log of the database.")]
        }
    }

    private func schema(_ store: any StoreExamining) async -> DoctorFinding {
        do {
            let pending = try Migration.pending(of: Schema.migrations, applied: try await store.appliedMigrations()).count
            if pending == 0, let text = try await store.schemaLacks(after: Schema.migrations).text {
                throw DatabaseError.schemaLacks(text)
            }
            return .good(
                "schema", pending == 0 ? "The schema is this release's." : "\(pending) migration(s) run at the next start.")
        } catch DatabaseError.schemaLacks(let text) {
            return .bad(
                "schema", "The store lacks \(text), although the migrations that create it have run.",
                fix: "Restore a backup (landfall restore), or create it again as in this release's migrations.")
        } catch DatabaseError.copyUnfinished(let store) {
            return .bad("schema", "The store is an unfinished copy of the store \(store).", fix: "Run the same 'landfall move' again: it goes on.")
        } catch DatabaseError.moved(let place) {
            return .bad("schema", "\(DatabaseError.moved(to: place))", fix: "Use the store at '\(place)'.")
        } catch DatabaseError.schemaIsUnreleased(let id) {
            return .bad("schema", "\(DatabaseError.schemaIsUnreleased(id))", fix: "Start with a new folder.")
        } catch {
            return .bad("schema", "\(error)", fix: "Run the release that wrote the store, or a newer one.")
        }
    }

    /// Nil if retention has never run.
    private func clock(of app: AppID) async -> DoctorFinding? {
        let clock = RetentionClock(database: database, app: app), nowMs = ServerTime.live.nowMs()
        do {
            guard let jump = try await clock.jumpUnwritten(nowMs: nowMs) else {
                return .good("retention", "The clock fits the newest time that the store knows.")
            }
            return .bad(
                "retention",
                "The clock is \(jump.aheadMs / Retention.dayMs) days ahead of the newest time that the store knows (\(RetentionClock.text(ofMs: jump.newestMs))): rows past their time are not deleted.",
                fix: "Set the clock; if it is right, confirm it: landfall confirm-clock.")
        } catch {
            // An older store has no table for it.
            return nil
        }
    }

    /// What the newest version of the configuration promises; nil if no version can be served.
    package func subject() async -> DoctorSubject? {
        guard let newest = try? await ConfigurationStore(database).newest(),
            let configuration = try? Configuration(yaml: newest.text, environment: environment)
        else { return nil }
        return DoctorSubject(configuration, revision: newest.number, nowMs: ServerTime.live.nowMs())
    }

    /// Also returns the configuration, if it can be served.
    private func configuration() async -> (DoctorFinding, Configuration?) {
        do {
            guard let newest = try await ConfigurationStore(database).newest() else {
                let finding = DoctorFinding.bad(
                    "configuration", "The store has no configuration.",
                    fix: "Start once with --config landfall.yaml; 'landfall init' writes one.")
                return (finding, nil)
            }
            let name = "configuration version \(newest.number)"
            let served = try Configuration(yaml: newest.text, file: name, environment: environment)
            return (.good("configuration", "Version \(newest.number) can be served."), served)
        } catch {
            return (.bad("configuration", "\(error)", fix: "Correct landfall.yaml, and start with --config landfall.yaml."), nil)
        }
    }
}

extension DoctorFinding {
    package init(_ condition: EngineCondition) {
        self.init(check: condition.check, ok: condition.remedy == nil, message: condition.message, fix: condition.remedy)
    }

    /// - Parameter text: the engine's message.
    package static func damaged(_ text: String) -> DoctorFinding {
        .bad("store", "The store is damaged: \(text).", fix: "Stop the server and restore a backup (landfall restore).")
    }
}
