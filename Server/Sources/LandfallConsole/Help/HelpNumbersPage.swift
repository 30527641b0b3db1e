// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallResults

/// What each number of the overview, the reports and the experiments is: the words that their pages use, in one place.
struct HelpNumbersPage {
    let frame: Frame

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.name(of: HelpPart.numbers), .help) {
            frame.backToHelp
            for item in [Frame.Section.overview] + SectionGroup.reports.sections {
                section(.class("block"), .id(item.helpID)) {
                    h2 { words.name(of: item) }
                    p { words.about(item) }
                    picture(item)
                    definitions(terms(item))
                    if frame.can(item.right) { p { a(.href(item.place)) { words.name(of: item) } } }
                }
            }
        }
    }

    private func terms(_ item: Frame.Section) -> [(term: String, meaning: String)] {
        switch item {
        case .overview:
            columns(["firstOpens", "attributed", "clicks", "shown", "elapsed.p50"])
                + [(words.net, words.netOfDays), ("–", words.unknownValue)]
        case .campaigns:
            columns(["firstOpens", "attributed", "unverified", "organic", "unknown", "reinstalls", "late", "shown", "purchased"])
                + [(words.net, words.netOfRow)]
        case .linkReport:
            columns(["clicks", "uniqueClicks", "sentToStore", "expiredClicks", "machineRequests", "appOpens", "unprovenAppOpens", "buttonTaps"])
        case .paywallReport: columns(["shown", "exposures", "elapsed.p50", "elapsed.p95"])
        case .funnel: columns(["sentToStore", "firstOpens", "rate.shown", "rate.purchased"])
        case .retention: words.retentionTerms.map { (term: $0.0, meaning: $0.1) }
        case .revenue:
            [RevenueView.purchase, .subscriptions, .cohorts].flatMap { RevenueColumn.list($0) }.reduce(into: [RevenueColumn]()) { list, column in
                if !list.contains(column) { list.append(column) }
            }.map { (term: words.title(of: $0), meaning: words.definition(of: $0)) }
        case .experiments: words.experimentTerms
        default: []
        }
    }

    private func columns(_ names: [String]) -> [(term: String, meaning: String)] {
        names.compactMap { name in words.definition(of: name).map { (term: words.column(name), meaning: $0) } }
    }

    private func picture(_ item: Frame.Section) -> HTML? {
        let name = words.name(of: item)
        return switch item {
        case .overview: HelpPicture.days(name, words.timeBefore)
        case .linkReport: HelpPicture.steps(name, [words.clicks, words.column("sentToStore")])
        case .paywallReport: HelpPicture.times(name)
        case .funnel: HelpPicture.steps(name, [words.clicks, words.firstOpens, words.shown, words.column("purchased")])
        case .retention: HelpPicture.cohorts(name, (1...3).map { words.onDay("\($0)") }, words.notOldEnough)
        case .experiments: HelpPicture.intervals(name, words.experiments)
        default: nil
        }
    }
}

extension Words {
    /// In the words of the pages, whose own numbers they are.
    fileprivate var experimentTerms: [(term: String, meaning: String)] {
        let experiments = experiments
        return [
            (experiments.units, translate("Installs for which the draw decided what they see. A reinstall on the same phone is the same unit.")),
            (experiments.rate, translate("The share of a variation's units that did what the metric counts, within its window.")),
            (experiments.interval, translate("In 95 of 100 experiments the true value is inside.")),
            (
                translate("Lift"),
                translate("By how much a variation is above or below the control. Its interval stays right however often somebody looks.")
            ),
            (experiments.word(.higher), translate("The whole interval of the lift is above zero.")),
            (experiments.word(.notDecided), experiments.notNoDifference),
            (
                experiments.ratio,
                translate("Whether the units came in the ratio of the weights. If not, something loses or adds some, and no other number counts.")
            ),
        ]
    }
}
