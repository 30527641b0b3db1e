// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

extension Connection {
    /// Takes the app's settings, and makes a client or waits for the one of other code.
    func begin(_ config: ADJConfig?) {
        guard let config else {
            notices.log(.error, "ADJConfig is nil, because its app token is empty: nothing was started. Pass a token.")
            return
        }
        guard isFirstStart() else {
            notices.log(.warning, "Already started: the second start changes nothing. Start once.")
            return
        }
        notices.level = config.logLevel
        events.remembers(config.eventDeduplicationIdsMaxSize)
        if let delegate = config.delegate { self.delegate = delegate }
        for name in config.idle { notices.say(name) }
        do {
            let configuration = try configuration(of: config)
            // Calls from before the start first: the client starts in the mode that they want.
            start(with: shared.client(configuration, make: makeClient), StartedByConfig(opening: config.opening, starts: true))
        } catch {
            if shared.client == nil { notices.log(.warning, "\(error)") }
            let start = StartedByConfig(opening: config.opening, starts: false)
            shared.whenMade { [weak self] in self?.start(with: $0, start) }
        }
    }

    func configuration(of config: ADJConfig) throws(NothingToStartWith) -> LandfallConfiguration {
        let token = config.appToken.hasPrefix("pk_") ? config.appToken : nil
        guard let server = config.serverURL ?? AppInfo.url(info.server) else { throw .server }
        guard let key = config.sdkKey ?? token ?? info.sdkKey else { throw .key }
        var configuration = LandfallConfiguration.app(sdkKey: key, server: server, info: info)
        if let links = config.links { configuration.links = links }
        configuration.links.longPaths += config.longPaths.map(PathPattern.init(rawValue:))
        if !config.allowAdServicesInfoReading { configuration.adTokens = nil }
        // The same as in module Adapty: it does not matter which of the two makes the client.
        configuration.waitsAsDocumented()
        configuration.minimumLogLevel = .debug
        configuration.log = { [notices] in notices.write($0) }
        return configuration
    }
}

/// How a client was started, if by ``ADJConfig``.
struct StartedByConfig: Sendable {
    /// nil: the system opens the link.
    var opening: (@MainActor (URL) -> Void)?
    /// False: the code that made the client starts it.
    var starts: Bool
}

enum NothingToStartWith: Error, CustomStringConvertible {
    case server, key

    var description: String {
        switch self {
        case .server:
            """
            No address of a Landfall server: Adjust waits for a client that other code starts. Add \(AppInfo.serverKey) with its URL \
            to Info.plist (on Linux set \(AppInfo.serverVariable)), or set ADJConfig.serverURL.
            """
        case .key:
            """
            No SDK key: Adjust waits for a client that other code starts. Add \(AppInfo.sdkKeyKey) with the app's key (pk_…) to \
            Info.plist (on Linux set \(AppInfo.sdkKeyVariable)), or set ADJConfig.sdkKey.
            """
        }
    }
}
