// SPDX-License-Identifier: Apache-2.0

/// The command bar and the page of its search.
extension Words {
    var find: String { translate("Find", context: "the command bar") }
    var findAnything: String { translate("Find anything") }
    var findWhat: String { translate("A page, an action, or the name of a thing") }
    var findPeopleHint: String { translate("People are found by a whole id, or by its first four characters.") }
    var findPages: String { translate("Pages", context: "of the console") }
    var findMore: String { translate("Search further") }
    var foundThings: String { translate("What was found") }
    var foundNothing: String { translate("Nothing was found.") }
    var findRecent: String { translate("Recent") }
    var findFailed: String { translate("The server did not answer. Enter tries again.") }
}
