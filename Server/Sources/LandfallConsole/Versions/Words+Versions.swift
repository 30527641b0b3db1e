// SPDX-License-Identifier: Apache-2.0
import LandfallRules

extension Words {
    var versions: VersionWords { VersionWords(words: self) }
}

/// The texts of the pages about versions and publishing.
struct VersionWords: Translating {
    let words: Words
    var language: Language { words.language }

    private func count(_ value: Int64) -> String { words.language.count(value) }

    // MARK: Versions

    var title: String { translate("Versions") }
    var version: String { translate("Version") }
    func version(_ number: Int64) -> String { translate("Version \(number)") }
    var author: String { translate("Who") }
    var message: String { translate("Why", context: "column: reason of a version") }
    var messageHint: String { translate("One line for the list of versions.") }
    var live: String { translate("Live", context: "a version") }
    var all: String { translate("All versions") }
    var noVersions: String { translate("No version is published yet.") }
    var ownedByFile: String { translate("This server publishes its own file only (--config-owner file).") }
    var scheduled: String { translate("Scheduled") }
    var due: String { translate("Due") }
    var state: String { translate("State") }
    var cancelIt: String { translate("Cancel", context: "a version") }
    func cancel(_ time: String) -> String { translate("Cancel the version of \(time)") }
    func name(of state: ScheduledLine.State) -> String {
        switch state {
        case .waiting: translate("Waiting")
        case .failed: translate("Failed", context: "a version")
        case .cancelled: translate("Cancelled")
        }
    }

    // MARK: One version

    func compare(with number: Int64) -> String { translate("Compare with the live version \(number)") }
    func changes(since number: Int64) -> String { translate("What changes from version \(number)") }
    var firstChanges: String { translate("What it contains") }
    var unknownAgainst: String { translate("The version to compare with does not exist; this is the one before.") }
    var byLine: String { translate("Line by line") }
    var yaml: String { translate("The text") }
    func yamlField(_ number: Int64) -> String { translate("YAML of version \(number), to copy") }
    var download: String { translate("Download the YAML") }
    var tooLongToShow: String { translate("It is too long for a page. Download it.") }
    var rollBack: String { translate("Roll back") }
    func rollBack(to number: Int64) -> String { translate("Roll back to version \(number)") }
    func rollBackNote(_ number: Int64, newest: Int64) -> String {
        translate("This publishes the text of version \(number) again, as a new version. It takes back every later change.")
    }
    func meanwhile(_ newest: Int64) -> String {
        translate("Version \(newest) was published meanwhile. Look at what changes, then send the form again.")
    }
    var isLiveAlready: String { translate("This text is live already. Nothing was published.") }
    var cannotBeServed: String { translate("This version cannot be served any more. Nothing was published.") }

    // MARK: Comparing

    var unreadable: String { translate("One of the texts is no YAML, so only lines are compared.") }
    var noMeaning: String { translate("Nothing changes in meaning.") }
    var noLines: String { translate("No line differs.") }
    func furtherChanges(_ number: Int64) -> String { translate("\(count(number)) more changes") }
    func furtherLines(_ number: Int64) -> String { translate("\(count(number)) more lines are not shown") }
    func lineCounts(added: Int64, removed: Int64) -> String { translate("Lines: +\(count(added)) −\(count(removed))") }
    func line(_ number: Int) -> String { translate("Line \(number)") }
    func place(line: Int, column: Int) -> String { translate("Line \(line), column \(column)") }
}

extension VersionWords {
    // MARK: Editing

    var edit: String { translate("Edit the configuration") }
    var fallback: String { translate("Download the fallback file") }
    var fallbackHint: String { translate("The app bundles the fallback file for a first open without a network. Download it before each release of the app.") }
    var text: String { translate("Configuration (YAML)") }
    func madeFrom(_ number: Int64) -> String { translate("From version \(number)") }
    var checkHint: String { translate("Nothing is published before you have seen what changes.") }
    var check: String { translate("Check", context: "button: a version") }
    var checkAgain: String { translate("Check again") }
    var ownedByFileEdit: String {
        translate("This server publishes its own file only (--config-owner file). You can edit and check the text here, then copy it into that file.")
    }
    var unchanged: String { translate("This is the text of the live version. There is nothing to publish.") }
    var emptyText: String { translate("The text is empty.") }
    func longText(_ kibibytes: Int) -> String {
        translate("The text is longer than \(kibibytes) KiB. Publish it with 'landfall apply'.")
    }
    func longMessage(_ bytes: Int) -> String { translate("Write one line of at most \(bytes) bytes.") }
    func unknownBase(_ newest: Int64) -> String {
        translate("It is not known which version this text was made from. It is now compared with version \(newest): look closely at what changes.")
    }

    // MARK: Reviewing

    var review: String { translate("Review before publishing") }
    var whatChanges: String { translate("What changes") }
    var impact: String { translate("Who would see another paywall") }
    var notMeasured: String { translate("This was not measured: the server is busy. Check again in a moment.") }
    var nobodySampled: String { translate("No install is stored yet.") }
    func sampled(_ number: Int64) -> String {
        translate("Estimated from \(count(number)) stored installs; the range holds with 95 % confidence.")
    }
    var placement: String { translate("Placement") }
    var seeAnother: String { translate("See another paywall") }
    var share: String { translate("Share") }
    var range: String { translate("Range") }
    var warnings: String { translate("Warnings") }
    var publish: String { translate("Publish") }
    func publishAt(_ zone: String) -> String { translate("Publish later, at (\(zone))") }
    var publishAtHint: String {
        translate("Empty publishes now. If clocks show the time twice, the first counts; a time that they skip is an hour later.")
    }
    var wrongTime: String { translate("Write a time after now, at most 366 days ahead.") }
    var tooManyScheduled: String { translate("A hundred versions wait already. Cancel one of them first.") }
    var anotherIsScheduled: String {
        translate("Another version waits for its time. If both change the same part, the waiting one fails then, and takes nothing back.")
    }
    var confirmPassword: String { translate("Give your password in a new tab") }
    var editFurther: String { translate("Edit further") }
    var copyYAML: String { translate("YAML to copy") }
    var copyHint: String { translate("Copy the text to where it is published.") }
    func sentence(of refusal: ReviewPage.Refusal) -> String {
        switch refusal {
        case .ownedByFile: ownedByFile
        case .unchecked:
            translate("The text is not the one that was checked. Nothing was published: look at its changes first.")
        case .unproven:
            translate("This changes a protected section, such as the keys, and you gave your password more than 15 minutes ago. Nothing was published. Give it again (/console/confirm), then publish.")
        case .protected(let sections) where !Configuration.ownerSections.isDisjoint(with: sections):
            translate("Your role may not change \(language.list(sections)). An owner can publish this text.")
        case .protected(let sections):
            translate("Your role may not change \(language.list(sections)). An owner or admin can publish this text.")
        }
    }

    // MARK: Two editors

    var conflict: String { translate("Somebody has published meanwhile") }
    func conflictText(base: Int64, newest: Int64) -> String {
        translate("Your text was made from version \(base), and version \(newest) is live now. Nothing was published, and your text is kept below.")
    }
    var theirs: String { translate("What was published") }
    var own: String { translate("What you changed") }
    var together: String { translate("Both together") }
    var merged: String { translate("The changes are in different places. This text has both; check it.") }
    func marked(_ number: Int64) -> String {
        translate("Both changed the same lines in \(count(number)) place(s), between <<<<<<< and >>>>>>>. Decide there, remove the marks and check the text.")
    }
    var ownText: String { translate("Your text as it was") }
}
