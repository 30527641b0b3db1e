// SPDX-License-Identifier: Apache-2.0

/// The forms that add entries.
extension Words {
    func new(_ kind: NewEntryPage.Kind) -> String {
        switch kind {
        case .paywall: translate("New paywall")
        case .audience: translate("New audience")
        case .placement: translate("New placement")
        case .experiment: translate("New experiment")
        }
    }
    var addsToDraft: String { translate("This is added to the draft below. Nothing is published yet.") }
    var addMore: String { translate("Add to this draft:") }
    var entryName: String { translate("Name") }
    var entryNameHint: String { translate("Letters, digits, '.', '_' and '-'. The name stays as it is.") }
    var everyoneSees: String { translate("Everyone sees") }
    var moreAudiencesLater: String { translate("Other audiences are added on the next page, above everyone.") }
    var firstLocale: String { translate("Default locale") }
    var localeHint: String { translate("Such as en or zh-Hans. Leave it empty for a paywall without remote config.") }
    var configHint: String { translate("The values of this locale, as YAML or JSON, such as title: Unlock") }
    var controlVariation: String { translate("Control") }
    func variation(_ number: Int) -> String { translate("Variation \(number)") }
    var weight: String { translate("Weight") }
    var newLocale: String { translate("Add a locale") }
    var newLocaleHint: String { translate("It begins with the values of the default locale, to be translated.") }
}

/// What can be wrong in them.
extension Words {
    var needsName: String { translate("Write a name.") }
    func nameTaken(_ name: String) -> String { translate("'\(name)' is there already. Choose another name.") }
    var needsLocale: String { translate("Write a locale, such as en.") }
    var needsMapping: String { translate("Write keys with their values, such as title: Unlock") }
    var needsWeight: String { translate("Write a whole number.") }
    var choosePaywall: String { translate("Choose a paywall.") }
}
