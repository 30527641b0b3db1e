// SPDX-License-Identifier: Apache-2.0

/// The table of a remote config.
extension Words {
    func name(of locale: RemoteConfigGrid.Locale) -> String {
        locale.code + (locale.isDefault ? isDefault : "") + (locale.missing > 0 ? lacks(locale.missing) : "")
    }
    var missingNote: String { translate("What is missing in a locale, phones do not get in it: nothing is taken from the default one.") }
    func name(of kind: RemoteConfigKind) -> String {
        switch kind {
        case .text: translate("Text")
        case .number: translate("Number")
        case .flag: translate("Yes or no")
        case .color: translate("Colour")
        case .address: translate("Web address")
        case .structure: ""
        }
    }
    func pick(_ value: String) -> String { translate("Pick a colour: \(value)") }
    var needsColor: String { translate("Write a colour, such as #0B6B5B.") }
    var needsAddress: String { translate("Write an address that begins with https://") }
    var needsEarlier: String { translate("Write the entries before this one first.") }
}
