// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import LandfallWire
import Logging
import Synchronization

/// Takes the report that a phone sends when its app opens.
package struct Openings: Sendable {
    package let held: HeldCalls
    package let links: LinkReports
    package let codes: CodeBounds
    package let answers: PhoneAnswers
    package let clock: StoreClock
    package let telemetry: FirstOpenTelemetry

    package init(
        held: HeldCalls, links: LinkReports, codes: CodeBounds, answers: PhoneAnswers, clock: StoreClock, telemetry: FirstOpenTelemetry
    ) {
        (self.held, self.links, self.codes, self.answers, self.clock, self.telemetry) = (held, links, codes, answers, clock, telemetry)
    }

    private var installs: any InstallStore { held.installs }
    private var time: ServerTime { held.time }
    var storing: FirstOpenWriter { held.storing }

    /// The install after an open, or what is known without the store.
    /// - Throws: final errors only: an id of another install, a value that is never accepted.
    func open(
        _ opening: Opening, _ waiting: [FirstOpenRequest.WaitingLink], in snapshot: Snapshot, of caller: Caller,
        _ credential: Credential, from address: ClientAddress?, country: String?, nowMs: Int64, logger: () -> Logger
    ) async throws -> OpenedInstall {
        // Collected before the store is asked to take them: they choose the paywall either way.
        let known = KnownReports()
        do {
            let stored = try await storing.outcome(
                of: { [self] in
                    var opening = opening
                    opening.links = try await links.reports(of: waiting, in: snapshot, from: address, country: country, nowMs: nowMs)
                    known.reports.withLock { [links = opening.links] in $0 = links }
                    let opened = try await installs.open(caller.app, credential, opening, nowMs: nowMs)
                    codes.remember(opening.deferred, opened.deferred, of: caller.app, credential, at: address, nowMs: nowMs)
                    return OpenedInstall(install: opened.install, deferred: opened.deferred, standing: .stored)
                },
                time: time,
                afterwards: { [holds = held.holds] in
                    holds.changed(app: caller.app, install: credential.installID)
                })
            if let stored { return stored }
            telemetry.unstored(nil, logger())
        } catch let error as DatabaseError {
            telemetry.unstored(error, logger())
        }
        var unstored = opening
        unstored.links = known.reports.withLock(\.self)
        return try installs.unstored(caller.app, credential, unstored, nowMs: nowMs)
    }
}

extension Openings {
    /// The install with the assignments that its answers give, stored before they leave. If the store is too slow, the answers
    /// leave all the same: the phone's events bring the assignments later.
    func enrolled(
        _ install: Install, by enrolling: Enrollment, of caller: Caller, _ credential: Credential, logger: () -> Logger
    ) async throws -> Install {
        let nowMs = held.time.nowMs()
        guard !enrolling.missing(for: install, nowMs: nowMs).isEmpty else { return install }
        let stored = try await held.enrolled(by: enrolling, as: caller, credential, nowMs: nowMs) { telemetry.unstored($0, logger()) }
        return stored ?? install
    }
}

/// The link reports of an opening, for an answer that is made without the store.
private final class KnownReports: Sendable {
    let reports = Mutex<[ClickReport]>([])
}
