// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Landfall

/// Launches the demo's phones: real clients, real files, real HTTP to a real server.
package struct DemoRun: Sendable {
    /// The SDK key and the placement that the configuration must contain, as Examples/SelfHost/landfall.yaml does.
    package static let sdkKey = "pk_demo"
    package static let placement: PlacementID = "onboarding"

    let phones: [DemoPhone]
    package let deadline = Duration.seconds(5)
    private let server: URL
    private let directory: URL
    private let board: LaunchBoard
    private let name = String(UInt32.random(in: .min ... .max), radix: 36)
    /// The minimum time for which a first launch is observed, for answers after the deadline.
    private let watched = Duration.milliseconds(6_400)

    /// - Parameter directory: exists, and belongs to this run: each phone keeps its files in its own folder.
    package init(_ phones: [DemoPhone] = DemoPhone.cast, server: URL, directory: URL, board: LaunchBoard) {
        self.phones = phones
        self.server = server
        self.directory = directory
        self.board = board
    }

    /// Launches all phones at once, and returns when nothing more is expected of them.
    /// - Parameters:
    ///   - number: 1 is the first open; later launches use the files of the earlier ones.
    ///   - bundle: the fallback file inside the app.
    package func launch(_ number: Int, bundle: Data) async {
        let launching = phones.map { phone in
            let token = phone.token(launch: number, run: name)
            let isOnline = phone.isOnline(atLaunch: number)
            return (phone, token, board.begin(phone: phone.name, number: number, token: token, isOnline: isOnline))
        }
        await withTaskGroup { group in
            for (phone, token, place) in launching {
                group.addTask { await launch(phone, number, token: token, at: place, bundle: bundle) }
            }
        }
    }

    private func launch(_ phone: DemoPhone, _ number: Int, token: String, at place: Int, bundle: Data) async {
        let isOnline = phone.isOnline(atLaunch: number)
        let requests = RequestCount()

        var configuration = LandfallConfiguration(sdkKey: Self.sdkKey, server: server, preparing: [Self.placement])
        configuration.storage = FileStorage(directory: directory.appending(path: phone.name.filter(\.isLetter)))
        configuration.transport = ObservedTransport(isOnline: isOnline, counting: requests)
        configuration.adTokens = ObservedAdTokens(value: token, delay: phone.tokenDelay) { board.note(.token, at: place) }
        configuration.device = .iPhone(phone.locale)
        configuration.fallback = bundle
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        if !isOnline { client.networkPathChanged(isSatisfied: false) }

        client.start()
        let begun = ContinuousClock.now
        do {
            let result = try await client.paywall(for: Self.placement, within: deadline)
            board.end(place, with: Launch.Outcome(result, requests: requests.value))
            client.recordExposure(of: result)
        } catch {
            board.end(
                place,
                with: Launch.Outcome(
                    paywall: nil, isTargeted: false, origin: "none", attribution: client.attribution.word,
                    elapsed: begun.duration(to: .now), requests: requests.value
                )
            )
        }

        // An answer after the paywall belongs to the picture of a first open, and the phone is still there to receive it.
        // Without a network no answer comes.
        while number == 1, isOnline, begun.duration(to: .now) < watched,
            client.attribution.isPending || !board.launch(at: place).hasAttribution
        {
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { break }
        }
        board.close(place)
        await client.shutdown()
    }
}

extension Launch {
    /// Apple has answered about this user: from an ad, or organic.
    fileprivate var hasAttribution: Bool { moments.contains { $0.sight == .answer(status: 200) } }
}

extension Launch.Outcome {
    fileprivate init(_ result: PaywallResult, requests: Int) {
        let origin =
            switch result.origin {
            case .matchingAudience: "matchingAudience"
            case .defaultAudience: "defaultAudience"
            case .cache: "cache"
            case .bundled: "bundled"
            }
        self.init(
            paywall: result.paywall?.name.rawValue, isTargeted: result.audience != .everyone, origin: origin,
            attribution: result.attribution.word, elapsed: result.elapsed, requests: requests
        )
    }
}

extension Attribution {
    /// The word that the wire uses for this state.
    fileprivate var word: String {
        switch self {
        case .pending: "pending"
        case .attributed: "attributed"
        case .notAttributed: "notAttributed"
        case .unavailable: "unavailable"
        }
    }
}
