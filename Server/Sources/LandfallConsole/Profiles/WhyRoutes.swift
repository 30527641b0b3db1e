// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire

/// Why a person sees a paywall, now or at an exposure of their timeline. The explanation is the one of `GET /v1/explain`.
struct WhyRoutes: Sendable {
    let reading: ProfileReader
    let explanations: ExplanationRoutes

    /// What is asked, after every id in it was found.
    private struct Question {
        let profile: ProfileID
        let install: InstallID
        let placement: PlacementID?
        let event: String?
    }

    /// `GET /console/profiles/{id}/why?install=&placement=&at=`
    @Sendable func page(_ call: ConsoleCall) async throws -> Response {
        let question = try await question(call)
        let explained: Explanation?
        do {
            explained = try await explanation(question, call)
        } catch ExplanationError.unreadableVersion {
            explained = nil
        }
        let page = WhyPage(
            frame: try call.frame, profile: question.profile.rawValue, install: question.install.rawValue,
            placements: call.context.snapshot.configuration.placements.map(\.id.rawValue), placement: question.placement?.rawValue,
            explained: explained.map { WhyPage.Explained($0) })
        return ConsoleAnswer.page(page.html, explained == nil && question.placement != nil ? .unprocessableContent : .ok)
    }

    @Sendable func json(_ call: ConsoleCall) async throws -> Response {
        guard let explanation = try await explanation(try await question(call), call) else { throw RequestError.notFound }
        return try ConsoleAnswer.document(explanation)
    }

    private func explanation(_ question: Question, _ call: ConsoleCall) async throws -> Explanation? {
        guard let placement = question.placement else { return nil }
        return try await explanations.explanation(
            of: question.install, in: reading.app, at: placement, exposure: question.event, served: call.context.snapshot)
    }

    /// - Throws: `not_found` for a profile, an install of it, an event or a placement that is not there.
    private func question(_ call: ConsoleCall) async throws -> Question {
        guard let person = try await reading.person(ProfileID(try ProfilePageRoutes.id(call))) else { throw RequestError.notFound }
        let all = person.installs + person.formerInstalls
        let named = ProfilePageRoutes.install(call)
        guard let install = named ?? all.first, all.contains(install) else { throw RequestError.notFound }
        let asked = Self.short(call.query("placement")).map { PlacementID($0) }
        guard let event = call.query("at") else {
            let placement = asked ?? call.context.snapshot.configuration.placements.first?.id
            guard placement.map({ call.context.snapshot.placements[$0] != nil }) ?? true else { throw RequestError.notFound }
            return Question(profile: person.profile, install: install, placement: placement, event: nil)
        }
        guard let event = Self.short(event),
            let exposure = try await ExplanationStore(database: reading.database).exposure(event, of: install, in: reading.app),
            let placement = exposure.placement, asked == nil || asked?.rawValue == placement
        else { throw RequestError.notFound }
        return Question(profile: person.profile, install: install, placement: PlacementID(placement), event: event)
    }

    private static func short(_ text: String?) -> String? {
        text.flatMap { (1...Limits.customerID).contains($0.utf8.count) && !$0.utf8.contains(0) ? $0 : nil }
    }
}

extension WhyPage.Explained {
    init(_ explanation: Explanation) {
        let chosen = explanation.chosen, matching = explanation.testDevice?.instead ?? chosen
        self.init(
            revision: explanation.revision, isFinal: explanation.final, audience: chosen.audience, paywall: chosen.paywall,
            audiences: explanation.audiences.map { audience in
                WhyPage.Audience(
                    name: audience.audience, result: WhyPage.Answer(audience.result), isReached: audience.reached,
                    isChosen: audience.audience == matching.audience,
                    conditions: audience.conditions.map { WhyPage.Condition($0, of: explanation) })
            })
        drawing = explanation.draw.flatMap { draw in
            chosen.experiment.map { experiment in
                WhyPage.Drawing(
                    experiment: experiment, variation: chosen.variation, step: draw.step.rawValue, namespace: draw.namespace,
                    salt: draw.salt, unit: draw.unit, bucket: draw.bucket,
                    buckets: draw.from.flatMap { from in draw.to.flatMap { from < $0 ? from..<$0 : nil } })
            }
        }
        testDevice = explanation.testDevice.map { WhyPage.TestDevice(name: $0.name, reason: $0.reason) }
        isTestPayload = explanation.testPayload
        isInReports = explanation.inReports
        exposure = explanation.exposure.map { exposure in
            WhyPage.Exposure(
                shownMilliseconds: exposure.shownAtMilliseconds, receivedMilliseconds: exposure.receivedAtMilliseconds,
                paywall: exposure.paywall, audience: exposure.audience, origin: exposure.origin)
        }
        late = explanation.late.map { late in
            WhyPage.Late(
                attribute: late.attribute, then: late.then.map { explanation.text(of: $0, late.attribute) },
                now: late.now.map { explanation.text(of: $0, late.attribute) })
        }
    }
}

extension WhyPage.Answer {
    init(_ answer: Explanation.Answer) {
        switch answer {
        case .yes: self = .yes
        case .no: self = .no
        case .unknown: self = .unknown
        }
    }
}

extension WhyPage.Condition {
    fileprivate init(_ condition: Explanation.Condition, of explanation: Explanation) {
        let reason: Reason =
            switch condition.reason {
            case .compared: .compared
            case .missing: .missing
            case .pending: .pending
            case .type: .type
            }
        self.init(
            rule: explanation.rule(of: condition), value: condition.value.map { Value($0, of: condition, explanation) },
            result: WhyPage.Answer(condition.result), reason: reason, isOnlyNow: explanation.asOf == .exposure && condition.valueIs == .now)
    }
}

extension WhyPage.Condition.Value {
    fileprivate init(_ value: JSONValue, of condition: Explanation.Condition, _ explanation: Explanation) {
        if case .object(let fields) = value, case .integer(let bucket)? = fields["bucket"] { self = .bucket(bucket) } else {
            self = .text(explanation.text(of: value, condition.attribute))
        }
    }
}
