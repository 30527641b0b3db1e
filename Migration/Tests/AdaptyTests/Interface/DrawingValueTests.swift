// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyUI
import Foundation
import SwiftUI
import Testing

@Suite("Values of the drawing", .timeLimit(.minutes(1)))
struct DrawingValueTests {
    @Test("An error of the drawing has the domain and the number that apps compare", arguments: [
        (AdaptyUIError.platformNotSupported, 4001), (.adaptyNotActivated, 4002), (.adaptyUINotActivated, 4003), (.activateOnce, 4005),
        (.unsupportedTemplate("a"), 4100), (.wrongComponentType("a"), 4103), (.wrongAssetType("a"), 4104),
        (.webKit(CancellationError()), 4200),
    ])
    func errors(_ error: AdaptyUIError, _ code: Int) {
        #expect((error as NSError).domain == AdaptyUIError.AdaptyUIErrorDomain)
        #expect((error as NSError).code == code)
        #expect(AdaptyUIError.Code(rawValue: code) != nil)
    }

    @Test("A page that is to open somewhere is a page to open")
    func action() throws {
        let url = try #require(URL(string: "https://example.com"))

        guard case .openURL(let opened) = AdaptyUI.Action.openURL(url: url, in: .inAppBrowser) else {
            Issue.record("not openURL")
            return
        }

        #expect(opened == url)
    }

    @Test("A table of assets finds them by their ids")
    func assets() {
        let resolver: any AdaptyAssetsResolver = ["title": AdaptyCustomAsset.color(.swiftUIColor(.black))]

        #expect(resolver.asset(for: "title") != nil)
        #expect(resolver.asset(for: "body") == nil)
    }

    @Test("The spinner shows nothing to read")
    @MainActor
    func spinner() {
        let scene = SimulatedScene(AdaptyLoadingPlaceholderView())

        #expect(scene.texts.isEmpty)
    }
}
