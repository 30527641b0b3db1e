// SPDX-License-Identifier: Apache-2.0

/// The reference of the API. Its own texts are English.
extension Words {
    var apiReference: String { translate("API reference") }
    var apiNote: String { translate("The calls of this release; descriptions are in English") }
    func apiGroup(_ name: String) -> String { translate("Calls: \(name)") }
    func apiTypesOf(_ name: String) -> String { translate("Types: \(name)") }
    var apiTypes: String { translate("Types") }
    var apiOnThisPage: String { translate("On this page") }
    var apiAccess: String { translate("Who may call it") }
    var apiParameters: String { translate("Parameters") }
    var apiBody: String { translate("What is sent") }
    var apiAnswers: String { translate("What is answered") }
    var apiSharedAnswers: String { translate("Answers that several calls share") }
    var apiName: String { translate("Name") }
    var apiPlace: String { translate("Where") }
    var apiType: String { translate("Type", context: "of a field") }
    var apiAbout: String { translate("Description") }
    var apiStatus: String { translate("Status") }
    var apiRequired: String { translate("required") }
    var apiExample: String { translate("An example") }

    /// - Parameter ways: see ``APIReference/Operation/access``.
    func access(_ ways: [[String]]) -> String {
        if ways.isEmpty { return translate("everyone, without a key") }
        let names = ways.map { way in
            switch Set(way) {
            case ["serverKey"]: translate("a server key")
            case ["sdkKey"]: translate("the SDK key")
            case ["sdkKey", "profile"]: translate("the SDK key with a profile")
            default: way.joined(separator: " + ")
            }
        }
        return names.joined(separator: "; ")
    }
}
