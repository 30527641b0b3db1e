// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What a condition can look at.
extension Words {
    func name(of group: AttributeChoices.Group) -> String {
        switch group {
        case .source: translate("Where they come from")
        case .appleAds: "Apple Ads"
        case .link: translate("The tapped link")
        case .device: translate("The phone")
        case .app: translate("The app")
        case .purchases: translate("Purchases")
        case .own: translate("Your own attributes")
        case .named: translate("Parts of everyone")
        }
    }

    /// An attribute of the file. One that the team named itself stays as it is.
    func name(ofAttribute id: String) -> String {
        if let known = AudienceAttribute(rawValue: id) { return name(of: known) }
        if id == AudienceRule.Line.segment { return translate("Segment") }
        if id == AudienceRule.Line.share { return translate("Share of installs") }
        if id.hasPrefix(ConditionSubject.customPrefix) { return String(id.dropFirst(ConditionSubject.customPrefix.count)) }
        guard id.hasPrefix(AccessField.prefix) else { return id }
        let level = String(id.dropFirst(AccessField.prefix.count))
        let field = AccessField.allCases.dropFirst().first { level.hasSuffix("." + $0.rawValue) } ?? .isActive
        return name(of: field, String(level.dropLast(field == .isActive ? 0 : field.rawValue.count + 1)))
    }

    private func name(of field: AccessField, _ level: String) -> String {
        switch field {
        case .isActive: translate("Has \(level)")
        case .state: translate("State of \(level)")
        case .willRenew: translate("\(level) will renew")
        case .isTrial: translate("\(level) is a free trial")
        case .endDate: translate("End of \(level)")
        }
    }

    private func name(of attribute: AudienceAttribute) -> String {
        switch attribute {
        case .attributionSource: translate("Source")
        case .attributionSources: translate("All sources")
        case .attributionStatus: translate("State of the attribution")
        case .attributionChannel: translate("Channel")
        case .attributionCampaign: campaign
        case .attributionAdGroup: translate("Ad group")
        case .attributionAdSet: translate("Ad set")
        case .attributionCreative: translate("Creative")
        case .attributionKeyword: translate("Keyword")
        case .attributionAd: translate("Ad")
        case .attributionClaimType: translate("Tapped or seen")
        case .attributionConversionType: translate("New or returning")
        case .attributionCountry: translate("Country of the ad")
        case .attributionTest: translate("Apple's test answer")
        case .linkCampaign: translate("Campaign of the link")
        case .linkAdGroup: translate("Ad group of the link")
        case .linkCreative: translate("Creative of the link")
        case .linkChannel: translate("Channel of the link")
        case .linkKeyword: translate("Keyword of the link")
        case .linkCode: translate("Address of the link")
        case .linkDate: translate("Time of the tap")
        case .country: translate("Country")
        case .language: translate("Language")
        case .locale: translate("Language and region")
        case .platform: translate("Platform")
        case .appVersion: translate("App version")
        case .osVersion: translate("System version")
        case .deviceModel: translate("Model")
        case .deviceClass: translate("Kind of device")
        case .installDate: translate("First open")
        case .installLastSeen: translate("Last open")
        case .testDevice: translate("Test device")
        case .purchasesAny: translate("Ever bought something")
        case .purchasesProducts: translate("Bought products")
        }
    }
}

/// How a value is compared.
extension Words {
    func operation(_ name: String, of kind: ValueKind?) -> String {
        switch (name, kind) {
        case ("is", _): translate("is", context: "a comparison")
        case ("isNot", _): translate("is known and is not")
        case ("in", _): translate("is one of")
        case ("notIn", _): translate("is known and is none of")
        case ("exists", _): translate("is known")
        case (AudienceRule.Line.missing, _): translate("is not known")
        case ("<", .date): translate("is before")
        case ("<=", .date): translate("is at the latest")
        case (">", .date): translate("is after")
        case (">=", .date): translate("is at the earliest")
        case ("<", _): translate("is below")
        case ("<=", _): translate("is at most")
        case (">", _): translate("is above")
        case (">=", _): translate("is at least")
        case ("between", _): translate("is between")
        case ("startsWith", _): translate("starts with")
        case ("endsWith", _): translate("ends with")
        case ("contains", _): translate("contains")
        case ("anyOf", _): translate("has any of")
        case ("allOf", _): translate("has all of")
        case ("noneOf", _): translate("is known and has none of")
        case ("within", _): translate("is within the last")
        case ("olderThan", _): translate("is longer ago than")
        default: name
        }
    }

    /// A flag of the file, as people say it; other values stay.
    func said(_ value: String) -> String {
        switch value {
        case "true": name(of: WhyPage.Answer.yes)
        case "false": name(of: WhyPage.Answer.no)
        default: value
        }
    }

    func name(of kind: AudienceRule.Kind) -> String {
        switch kind {
        case .all: allOf
        case .any: anyOf
        case .neither: noneOf
        case .notAll: notAllOf
        }
    }
}

/// The form of a rule.
extension Words {
    var attribute: String { translate("Attribute") }
    var operation: String { translate("Operator") }
    var chooseAttribute: String { translate("Choose what to look at") }
    func condition(_ place: String) -> String { translate("Condition \(place)") }
    func group(_ place: String) -> String { translate("Group \(place)") }
    var draw: String { translate("Draw") }
    var shareFrom: String { translate("From") }
    var shareTo: String { translate("To") }
    var combining: String { translate("How the conditions combine") }
    var addCondition: String { translate("Add a condition") }
    var addGroup: String { translate("Add a group") }
    var show: String { translate("Show what it says") }
    var severalValues: String { translate("Several values: separate them by commas.") }
    var ruleIsNoForm: String {
        translate("This rule is too long or too deep for a form, or has lines that a form cannot show. Change it as YAML.")
    }
    var leftOut: String { translate("A condition without a value is left out.") }
}

/// What can be wrong in it.
extension Words {
    var needsCondition: String { translate("An audience needs a condition.") }
    var needsValue: String { translate("Write a value.") }
    var needsOperation: String { translate("Choose how to compare it.") }
    var wrongOperation: String { translate("This attribute cannot be compared so. Choose another operator.") }
}
