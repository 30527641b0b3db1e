// SPDX-License-Identifier: Apache-2.0

/// A marketer's first day: from the invitation to reading a report.
struct FirstDayPage {
    enum Step: String, CaseIterable, Sendable {
        case join, link, tap, placement, publish, report, experiment

        /// The page on which it is done; nil for the step before the first page.
        var section: Frame.Section? {
            switch self {
            case .join: nil
            case .link: .links
            case .tap: .live
            case .placement: .placements
            case .publish: .versions
            case .report: .campaigns
            case .experiment: .experiments
            }
        }
    }

    let frame: Frame

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.name(of: HelpPart.firstDay), .help) {
            frame.backToHelp
            for (index, step) in Step.allCases.enumerated() {
                section(.class("block"), .id("step-" + step.rawValue)) {
                    h2 { "\(index + 1). \(words.title(of: step))" }
                    p { words.text(of: step) }
                    picture(step)
                    if let item = step.section, frame.can(item.right) { p { a(.href(item.place)) { words.name(of: item) } } }
                }
            }
        }
    }

    private func picture(_ step: Step) -> HTML? {
        let name = words.title(of: step)
        return switch step {
        case .join, .tap: nil
        case .link: HelpPicture.way(name, [words.link, words.firstOpenTerm, words.paywall])
        case .placement:
            HelpPicture.order(
                name,
                [
                    ("\(words.audience) 1", "\(words.paywall) 1"), ("\(words.audience) 2", "\(words.paywall) 2"),
                    (words.everyone, "\(words.paywall) 3"),
                ])
        case .publish: HelpPicture.way(name, [words.experiments.name(of: .draft), words.reviewStep, words.versions.version])
        case .report: HelpPicture.days(name, words.timeBefore)
        case .experiment: HelpPicture.intervals(name, words.experiments)
        }
    }
}
