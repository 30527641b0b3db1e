// SPDX-License-Identifier: Apache-2.0

/// One person: what is known and who said it, where they came from, and everything that happened.
struct ProfilePage {
    let frame: Frame
    let profile: ProfileDocument
    /// False on a page of earlier entries.
    let isNewest: Bool
    /// What was typed to forget the person, and what is wrong with it.
    var typed = ""
    var problems: [FieldProblem] = []

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.profileTitle, .profiles, note: words.timesNote) {
            problems.summary(words)
            person
            if let attribution = profile.attribution { html(attribution) }
            timeline
            if !profile.facts.isEmpty { facts }
            attributes
            if !profile.assignments.isEmpty { assignments }
            if frame.can(.erasing) { forgetting }
        }
    }

    private var person: HTML {
        section(.class("block")) {
            h2 { code { profile.profile } }
            dl(.class("terms")) {
                div {
                    dt { words.customerTerm }
                    dd {
                        profile.customer ?? words.none
                        if profile.customer != nil {
                            span(.class("quiet")) { profile.customerIsVerified ? words.customerProven : words.customerClaimed }
                        }
                    }
                }
            }
            if profile.installs.isEmpty { p(.class("empty")) { words.noInstallNow } } else {
                scrollingTable(words.profileInstalls, titles: [words.installTerm, words.firstOpenTerm, words.lastSeen]) {
                    for install in profile.installs { html(install) }
                }
                p {
                    a(.class("button"), .href(Place("/console/profiles", [profile.profile, "why"], query: [("install", profile.install)]))) {
                        words.whyNow
                    }
                }
            }
        }
    }

    private func html(_ install: ProfileDocument.Install) -> HTML {
        tr {
            th(Attribute("scope", "row")) {
                if install.install == profile.install { install.install } else {
                    a(.href(Place("/console/profiles", [profile.profile], query: [("install", install.install)]))) { install.install }
                }
                if let name = install.testDevice { span(.class("badge")) { words.testDevice(name) } }
                if let first = install.firstInstall { span(.class("quiet line")) { words.reinstall(first) } }
            }
            td(.class("nowrap")) { words.instant(install.firstOpenMilliseconds) }
            td(.class("nowrap")) { words.instant(install.lastSeenMilliseconds) }
        }
    }

    private func html(_ attribution: ProfileDocument.Attribution) -> HTML {
        section(.class("block")) {
            h2 { words.attribution }
            p {
                words.attributionState(attribution.state)
                if let reason = attribution.reason { " "; code { reason } }
            }
            if !attribution.claims.isEmpty {
                scrollingTable(words.attribution, titles: [words.sourceTerm, words.claimDetails, words.saidAt, words.learnedAt, words.meaningTerm]) {
                    for claim in attribution.claims { html(claim) }
                }
            }
        }
    }

    private func html(_ claim: ProfileDocument.Claim) -> HTML {
        tr {
            th(Attribute("scope", "row")) {
                claim.source
                span(.class("quiet line")) { claim.isVerified ? words.claimVerified : words.claimUnverified }
                if claim.isTest { span(.class("badge")) { words.testData } }
            }
            td {
                for detail in claim.details {
                    span(.class("line")) { detail.name + ": " + detail.value }
                    for line in detail.appleAds?.html ?? [] { line }
                }
                if claim.details.isEmpty { claim.status }
            }
            td(.class("nowrap")) { words.instant(claim.saidMilliseconds) }
            td(.class("nowrap")) { words.instant(claim.recordedMilliseconds) }
            td {
                if claim.standing == .counts { strong { words.meaning(of: claim.standing) } } else { words.meaning(of: claim.standing) }
            }
        }
    }

    private var facts: HTML {
        section(.class("block")) {
            h2 { words.profileFacts }
            p(.class("hint")) { words.factsText(profile.install ?? "") }
            scrollingTable(words.profileFacts, titles: [words.factName, words.valueTerm, words.saidBy, words.factSince]) {
                for fact in profile.facts {
                    tr {
                        th(Attribute("scope", "row")) { code { fact.name } }
                        td {
                            fact.value
                            for line in fact.appleAds?.html ?? [] { line }
                        }
                        td { words.name(of: fact.source) }
                        td(.class("nowrap")) { fact.sinceMilliseconds.map { words.instant($0) } ?? words.notKept }
                    }
                }
            }
        }
    }

    private var attributes: HTML {
        section(.class("block")) {
            h2 { words.attributesTitle }
            if profile.attributes.isEmpty { p(.class("empty")) { words.noAttributes } } else {
                p(.class("hint")) { words.attributesText }
                scrollingTable(words.attributesTitle, titles: [words.attributeName, words.valueTerm]) {
                    for attribute in profile.attributes {
                        tr { th(Attribute("scope", "row")) { code { attribute.name } }; td(.class("long")) { attribute.value } }
                    }
                }
            }
        }
    }

    private var assignments: HTML {
        section(.class("block")) {
            h2 { words.assignments }
            scrollingTable(
                words.assignments, titles: [words.experimentTerm, words.variationTerm, words.assignmentStep, words.assignedAt, words.firstShown]
            ) {
                for assignment in profile.assignments {
                    tr {
                        th(Attribute("scope", "row")) { assignment.experiment }
                        td { assignment.variation; span(.class("quiet line")) { words.assignmentBucket(assignment.bucket, epoch: assignment.epoch) } }
                        td { words.name(ofStep: assignment.step) }
                        td(.class("nowrap")) { words.instant(assignment.assignedMilliseconds) }
                        td(.class("nowrap")) { assignment.shownMilliseconds.map { words.instant($0) } ?? words.never }
                    }
                }
            }
        }
    }

    private var forgetting: HTML {
        section(.class("block narrow"), .id("forget")) {
            h2 { words.forgetTitle }
            p { words.forgetText }
            form(Attribute("method", "post"), .action(Place("/console/profiles", [profile.profile, "forget"]))) {
                frame.proof
                Field(name: "typed", title: words.typeID, value: typed, hint: profile.profile, problems: problems).html
                button(.class("danger")) { words.forgetTitle }
            }
        }
    }
}
