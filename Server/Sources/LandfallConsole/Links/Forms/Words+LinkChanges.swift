// SPDX-License-Identifier: Apache-2.0

/// Changing several links at once.
extension Words {
    func linkChange(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive: translate("Archive links")
        case .takeUp: translate("Take up links again")
        case .relabel: translate("Change labels of links")
        }
    }
    func linkChange(_ kind: LinkChangeKind, _ count: Int) -> String {
        switch kind {
        case .archive: translate(count, one: "Archive 1 link", other: "Archive \(count) links")
        case .takeUp: translate(count, one: "Take up 1 link again", other: "Take up \(count) links again")
        case .relabel: translate(count, one: "Change labels of 1 link", other: "Change labels of \(count) links")
        }
    }
    /// A button under the list.
    func linkChangeChosen(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive: translate("Archive")
        case .takeUp: translate("Take up again")
        case .relabel: translate("Change labels")
        }
    }
    func linkChangeNote(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive:
            translate("An archived link has expired: a person who taps it sees a page that says so. It can be taken up again.")
        case .takeUp:
            translate("Expired links lead to their destination again, and no longer expire. Links that have not expired stay as they are.")
        case .relabel:
            translate("Fields that are left empty change nothing. Clicks of the past keep the labels that they were counted under.")
        }
    }

    var linkChoice: String { translate("Choose") }
    func linkChoose(_ name: String) -> String { translate("Choose \(name)") }
    var linkChooseAll: String { translate("Choose all of this page") }
    var linkChosenActions: String { translate("For the chosen links. The next page says what will change.") }
    var linkFileUnchosen: String { translate("Links of the file cannot be chosen: change them in the configuration.") }
    func linkChosen(_ count: Int64) -> String {
        let number = language.count(count)
        return translate(count, one: "1 link is chosen", other: "\(number) links are chosen")
    }
    func linkClear(_ label: String) -> String { translate("Remove this label: \(label)") }
    var linkChangeChecked: String { translate("Checked: nothing is changed yet") }
    var linkChangeDone: String { translate("The change is done") }
    var linkToChange: String { translate("To be changed") }
    var linkChanged: String { translate("Changed") }
    var linkUnchanged: String { translate("As it is already") }
    func linkChangeMore(_ count: Int64) -> String {
        let number = language.count(count)
        return translate(count, one: "1 more link is not named here.", other: "\(number) more links are not named here.")
    }
    var linkChangeBack: String { translate("Back to the links") }
}

/// What is wrong with a change of links.
extension Words {
    var linkChangeNone: String { translate("Choose at least one link.") }
    func linkChangeTooMany(_ most: Int) -> String { translate("Choose at most \(most) links at once. Nothing was changed.") }
    var linkChangeNoLabel: String { translate("Write at least one label, or choose one to remove.") }
    var linkChangeBoth: String { translate("Write this label or remove it, not both.") }
    var linkChangeRefused: String { translate("A link like this could not be made now.") }
    var linkNotThere: String { translate("There is no such link.") }
    var linkChangedMeanwhile: String { translate("Somebody changed this link in this moment. Check again.") }
}
