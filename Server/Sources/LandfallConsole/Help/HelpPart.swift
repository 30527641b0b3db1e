// SPDX-License-Identifier: Apache-2.0

/// The pages of the help, besides their contents.
enum HelpPart: String, CaseIterable, Sendable {
    case firstDay = "first-day"
    case numbers
    case glossary

    var place: Place { Place("/console/help", [rawValue]) }
}

extension Frame.Section {
    /// Its numbers are explained one by one; of other sections a sentence says what they are for.
    var hasNumbers: Bool { self == .overview || SectionGroup.reports.sections.contains(self) }

    /// The part of a help page that is about it.
    var helpID: String { "about-" + rawValue }

    /// The address of that part.
    var help: String { (hasNumbers ? HelpPart.numbers.place : Place("/console/help")).text + "#" + helpID }
}

extension Frame {
    /// The way from a page to what the help says about it, beside its title. Pages of the help have none.
    func help(_ heading: String, _ section: Section?) -> HTML? {
        guard !address.hasPrefix("/console/help") else { return nil }
        return a(
            .class("help"), Attribute("href", section?.help ?? Place("/console/help").text), .label(words.help(about: heading))
        ) { "?" }
    }

    /// The same below what says why a page is empty.
    func helpForEmpty(_ section: Section) -> HTML {
        p { a(Attribute("href", section.help)) { words.howPageWorks } }
    }
}
