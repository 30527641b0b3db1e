// SPDX-License-Identifier: Apache-2.0

/// A phone of the demo: what happens around the app on its first and its second launch.
package struct DemoPhone: Hashable, Sendable {
    /// At most 19 characters, so that the chart stays within its columns.
    let name: String
    /// How long the phone needs for its ad token.
    let tokenDelay: Duration
    /// The query of a ``SimulatedToken``: Apple's answer.
    let apple: String
    /// False: the first launch has no network at all; the second one has.
    let isOnlineAtFirst: Bool
    /// The locale of its user.
    let locale: String

    init(
        _ name: String, tokenAfter tokenDelay: Duration, apple: String, isOnlineAtFirst: Bool = true, locale: String = "en-US"
    ) {
        self.name = name
        self.tokenDelay = tokenDelay
        self.apple = apple
        self.isOnlineAtFirst = isOnlineAtFirst
        self.locale = locale
    }

    func isOnline(atLaunch number: Int) -> Bool { isOnlineAtFirst || number > 1 }

    /// The token of one launch; different for every phone, launch and run.
    func token(launch: Int, run: String) -> String {
        let id = name.filter(\.isLetter)
        return "sim.\(apple)&id=\(run)-\(id)-\(launch)"
    }

    /// One phone for each possible course of a first open.
    package static let cast = [
        DemoPhone("organic", tokenAfter: .milliseconds(120), apple: "attribution=false&delay=250", locale: "de-DE"),
        DemoPhone("Apple Ads, quick", tokenAfter: .milliseconds(90), apple: "attribution=true&delay=400", locale: "ja-JP"),
        DemoPhone("Apple Ads, slow", tokenAfter: .milliseconds(300), apple: "attribution=true&delay=2600"),
        DemoPhone("Apple Ads, too late", tokenAfter: .milliseconds(150), apple: "attribution=true&delay=5250", locale: "fr-FR"),
        DemoPhone("Apple says 404", tokenAfter: .milliseconds(110), apple: "attribution=true&notFound=1&delay=150"),
        DemoPhone("Apple is down", tokenAfter: .milliseconds(130), apple: "status=500&delay=120", locale: "pt-BR"),
        DemoPhone("no network", tokenAfter: .milliseconds(100), apple: "attribution=true&delay=300", isOnlineAtFirst: false),
    ]
}
