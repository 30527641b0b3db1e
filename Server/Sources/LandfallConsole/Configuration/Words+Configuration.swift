// SPDX-License-Identifier: Apache-2.0

/// Placements, audiences and paywalls.
extension Words {
    var placements: String { translate("Placements") }
    var placement: String { translate("Placement") }
    var audiences: String { translate("Audiences") }
    var audience: String { translate("Audience") }
    var paywalls: String { translate("Paywalls") }
    var paywall: String { translate("Paywall") }
    func version(_ number: Int64) -> String { translate("Version \(number)") }

    func name(of kind: ConfigurationUse.Kind) -> String {
        switch kind {
        case .placement: placement
        case .audience: audience
        case .experiment: translate("Experiment")
        case .testDevice: translate("Test device")
        }
    }

    var everyone: String { translate("Everyone") }
    var usedBy: String { translate("Used by") }
    var used: String { translate("Uses") }
    var inTheFile: String { translate("In the file") }
    var yamlUnclear: String {
        translate("The file writes this in a form that cannot be shown apart. Look at the whole version.")
    }
    func andMore(_ count: Int) -> String { translate("and \(count) more") }
    var nameContains: String { translate("Name contains") }
    var search: String { translate("Search") }
    var nothingFound: String { translate("Nothing has such a name.") }
    var pages: String { translate("Pages", context: "navigation") }
    var previousPage: String { translate("Previous") }
    var nextPage: String { translate("Next") }
    func page(_ page: Int, of pages: Int) -> String { translate("Page \(page) of \(pages)") }

    var noPlacements: String { translate("No placements yet.") }
    func writeFirst(in section: String) -> String {
        translate(" Write one below '\(section)' in landfall.yaml, then run: landfall apply")
    }
    var makeFirst: String { translate(" Make the first one.") }
    var whoSeesWhat: String { translate("Who sees what") }
    var orderNote: String { translate("From top to bottom: the first audience that matches wins. Everyone is always last.") }
    var sees: String { translate("Sees") }
    var noUsesOfPlacement: String {
        translate("No test device has a paywall of its own here. The app asks for the placement by this name.")
    }
}

/// Paywalls.
extension Words {
    var noPaywalls: String { translate("No paywalls yet.") }
    var products: String { translate("Products") }
    var noProducts: String { translate("It has no products.") }
    var locales: String { translate("Locales") }
    var remoteConfig: String { translate("Remote config") }
    var noRemoteConfig: String { translate("It has no remote config.") }
    var path: String { translate("Path") }
    var value: String { translate("Value") }
    var missing: String { translate("missing", context: "a part of the configuration") }
    var isDefault: String { translate(" (default)") }
    func lacks(_ count: Int) -> String { translate(" – \(count) missing") }
    var asJSON: String { translate("As JSON") }
    var preview: String { translate("Preview of the texts") }
    var previewNote: String {
        translate("A neutral preview, not the app's own screen: the app decides what it shows. No picture is loaded.")
    }
    var readyPreviewNote: String {
        translate("What LandfallPaywallView draws of it, without its colours. Prices and times are examples: the App Store has the real ones.")
    }
    func unusedByReadyPaywall(_ paths: String) -> String {
        translate("LandfallPaywallView does not use these values, and shows its defaults: \(paths).")
    }
    var appearance: String { translate("Appearance") }
    var likeThisPage: String { translate("Like this page") }
    var light: String { translate("Light") }
    var dark: String { translate("Dark") }
    var width: String { translate("Width") }
    var smallPhone: String { translate("Small phone") }
    var largePhone: String { translate("Large phone") }
    var tablet: String { translate("Tablet") }
    var noUsesOfPaywall: String { translate("No placement and no experiment shows it.") }
}
