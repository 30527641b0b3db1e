// SPDX-License-Identifier: Apache-2.0

extension WhyPage {
    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        frame.page(words.why, .profiles, note: words.timesNote) {
            section(.class("block")) {
                dl(.class("terms")) {
                    div { dt { words.profileTitle }; dd { a(.href(Place("/console/profiles", [profile], query: [("install", install)]))) { profile } } }
                    div { dt { words.installTerm }; dd { install } }
                    if let explained { div { dt { words.name(of: Timeline.Entry.Term.revision) }; dd { "\(explained.revision)" } } }
                }
                if placements.isEmpty { p(.class("empty")) { words.noPlacementToExplain } } else { choice }
            }
            if let explained {
                outcome(explained)
                audiences(explained)
                if let drawing = explained.drawing { html(drawing) }
            } else if placement != nil {
                div(.class("alert"), Attribute("role", "alert"), Attribute("tabindex", "-1")) { p { words.versionUnreadable } }
            }
        }
    }

    private var choice: HTML {
        form(.action(Place("/console/profiles", [profile, "why"]))) {
            input(.type("hidden"), .name("install"), .value(install))
            div(.class("field")) {
                label(Attribute("for", "placement")) { words.name(of: Timeline.Entry.Term.placement) }
                select(.id("placement"), .name("placement")) {
                    for name in placements { option(.value(name), .flag("selected", name == placement)) { name } }
                }
            }
            button { words.explainNow }
        }
    }

    private func outcome(_ explained: Explained) -> HTML {
        section(.class("block")) {
            h2 { placement ?? "" }
            p {
                strong {
                    explained.exposure == nil
                        ? words.sees(explained.paywall, for: explained.audience) : words.wasToSee(explained.paywall, for: explained.audience)
                }
            }
            if !explained.isFinal { p { words.notFinal } }
            if let device = explained.testDevice {
                p { words.isTestDevice(device.name); if let reason = device.reason { " "; code { reason } } }
            }
            if !explained.isInReports { p { words.notInReports } }
            if explained.isTestPayload { p { words.testPayload } }
            if let exposure = explained.exposure { html(exposure) ; late(explained.late) }
        }
    }

    private func html(_ exposure: Exposure) -> HTML {
        dl(.class("terms")) {
            div { dt { words.phoneShowed }; dd { exposure.paywall ?? words.noPaywall } }
            if let audience = exposure.audience { div { dt { words.name(of: Timeline.Entry.Term.audience) }; dd { audience } } }
            div { dt { words.happenedAt }; dd { words.instant(exposure.shownMilliseconds) } }
            div { dt { words.learnedAt }; dd { words.instant(exposure.receivedMilliseconds) } }
            div { dt { words.name(of: Timeline.Entry.Term.origin) }; dd { words.origin(exposure.origin) } }
        }
    }

    private func late(_ values: [Late]) -> HTML {
        guard !values.isEmpty else { return p { words.nothingLate } }
        return scrollingTable(words.arrivedLater, caption: words.arrivedLater, titles: [words.factName, words.valueThen, words.valueNow]) {
            for value in values {
                tr {
                    th(Attribute("scope", "row")) { code { value.attribute } }
                    td { value.then ?? words.valueMissing }
                    td { value.now ?? words.valueMissing }
                }
            }
        }
    }

    private func audiences(_ explained: Explained) -> HTML {
        section(.class("block")) {
            h2 { words.audiencesInOrder }
            ol(.class("why")) { for audience in explained.audiences { html(audience) } }
        }
    }

    private func html(_ audience: Audience) -> HTML {
        li(Attribute("data-result", audience.result.rawValue)) {
            p {
                mark(audience.result)
                strong { audience.name }
                if audience.isChosen { span(.class("badge")) { words.isChosen } }
                if !audience.isReached { span(.class("quiet")) { words.notAsked } }
            }
            if !audience.conditions.isEmpty {
                ul { for condition in audience.conditions { li { html(condition) } } }
            }
        }
    }

    private func html(_ condition: Condition) -> HTML {
        p {
            mark(condition.result)
            code { condition.rule }
            span(.class("line quiet")) { remark(condition) }
        }
    }

    /// The sign is for the eye; a reader hears the word.
    private func mark(_ answer: Answer) -> HTML {
        span(.class("answer")) {
            span(Attribute("aria-hidden", "true")) { answer == .yes ? "✔ " : answer == .no ? "✘ " : "? " }
            words.name(of: answer)
        }
    }

    private func remark(_ condition: Condition) -> String {
        let value = condition.value.map { value in
            switch value {
            case .text(let text): words.valueIs(text)
            case .bucket(let bucket): words.bucketIs(language.count(bucket))
            }
        }
        let reason: String? =
            switch condition.reason {
            case .compared: nil
            case .missing: words.valueIsMissing
            case .type: words.valueOfAnotherType
            case .pending: words.valueOnItsWay
            }
        return [value, reason, condition.isOnlyNow ? words.valueIsNow : nil].compactMap { $0 }.joined(separator: " ")
    }

    private func html(_ drawing: Drawing) -> HTML {
        section(.class("block")) {
            h2 { words.theDraw }
            dl(.class("terms")) {
                div { dt { words.experimentTerm }; dd { drawing.experiment } }
                div { dt { words.variationTerm }; dd { drawing.variation ?? words.none } }
                div { dt { words.assignmentStep }; dd { words.name(ofStep: drawing.step) } }
                div { dt { words.drawSalt }; dd { code { "\(drawing.namespace) \(drawing.salt)" } } }
                div { dt { words.drawUnit }; dd { code { drawing.unit } } }
                div { dt { words.drawBucket }; dd { words.bucketOf(language.count(drawing.bucket)) } }
                if let buckets = drawing.buckets {
                    div { dt { words.drawBuckets }; dd { "\(language.count(buckets.lowerBound)) – \(language.count(buckets.upperBound - 1))" } }
                }
            }
        }
    }
}
