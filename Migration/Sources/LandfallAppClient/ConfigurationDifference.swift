// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What a module wants that the one client, which another module has made, does not do. One line for each, with the value that
/// counts.
struct ConfigurationDifference {
    /// Of the module that came first: it counts.
    let made: LandfallConfiguration
    /// Of the module that joins.
    let wanted: LandfallConfiguration

    var lines: [LogLine] {
        [sdkKey, server, links, adTokens, attributionLimit, storage].compactMap(\.self) + [logging]
    }

    private var sdkKey: LogLine? {
        guard made.sdkKey != wanted.sdkKey else { return nil }
        return .setup(
            .error, "Two modules of this app start with two SDK keys: '\(made.sdkKey)' counts, '\(wanted.sdkKey)' is not used.",
            "Give both the same key, in code or as \(AppInfo.sdkKeyKey) in Info.plist.")
    }

    private var server: LogLine? {
        guard made.server != wanted.server else { return nil }
        return .setup(
            .error,
            "Two modules of this app start with two servers: '\(made.server.absoluteString)' counts, "
                + "'\(wanted.server.absoluteString)' is not used.",
            "Give both the same server, in code or as \(AppInfo.serverKey) in Info.plist.")
    }

    /// A module that names no links wants none in particular.
    private var links: LogLine? {
        guard made.links != wanted.links, wanted.links != LinkRules() else { return nil }
        let parts = [
            Self.part("brand", made.links.domains.brand, wanted.links.domains.brand),
            Self.part("universal", made.links.domains.universal, wanted.links.domains.universal),
            Self.part("schemes", made.links.domains.schemes, wanted.links.domains.schemes),
            Self.part("longPaths", made.links.longPaths.map(\.rawValue), wanted.links.longPaths.map(\.rawValue)),
            Self.part("wrapperHosts", made.links.wrapperHosts, wanted.links.wrapperHosts),
            Self.part("lifetime", ["\(made.links.lifetime)"], ["\(wanted.links.lifetime)"]),
        ].compactMap(\.self)
        return .setup(
            .warning, "Two modules of this app name different links. \(parts.joined(separator: ", ")).",
            "Name the links once, as \(AppInfo.linksKey) in Info.plist, or the same in both.")
    }

    private static func part(_ name: String, _ made: [String], _ wanted: [String]) -> String? {
        guard made != wanted else { return nil }
        func text(_ list: [String]) -> String { "[\(list.joined(separator: ", "))]" }
        return "\(name): \(text(made)) counts, \(text(wanted)) is not used"
    }

    private var adTokens: LogLine? {
        switch (made.adTokens, wanted.adTokens) {
        case (nil, nil): return nil
        case (.some, nil):
            return .setup(
                .warning, "Ad tokens are asked for, though this module says that none shall be: the module that started first counts.",
                "Start the module that wants none first, or set the client's collection to .essential or .off.")
        case (nil, .some):
            return .setup(
                .warning, "No ad token is asked for, though this module asks for them: the module that started first counts.",
                "Where that is not meant, let the first one ask too: remove disableAdServices().")
        case (let made?, let wanted?):
            guard type(of: made) != type(of: wanted) else { return nil }
            return .setup(
                .warning, "Ad tokens come from \(type(of: made)); \(type(of: wanted)) is not used: the module that started first counts.",
                "Name the same source in both, or start the other module first.")
        }
    }

    private var attributionLimit: LogLine? {
        guard made.attributionLimit != wanted.attributionLimit, let wanted = wanted.attributionLimit,
            wanted != LandfallConfiguration.documentedLimit
        else { return nil }
        let counts = made.attributionLimit.map { "until \($0) after the start" } ?? "until its own limit"
        return .setup(
            .warning,
            "Two modules of this app limit the wait for attribution: each call waits \(counts); the limit of \(wanted) is not used.",
            "Set the limit in the module that starts first.")
    }

    private var storage: LogLine? {
        guard let wanted = wanted.storage, made.storage.map({ $0 as AnyObject !== wanted as AnyObject }) ?? true else { return nil }
        return .setup(
            .warning, "The folder that this module names is not used: the module that started first has the files.",
            "Name the folder in the module that starts first.")
    }

    /// Two logs cannot be compared, and are never one.
    private var logging: LogLine {
        .setup(
            .info, "This module joins the client that another module of this app has made.",
            "The client's own lines go to the log of that module, at its level; this module's level counts for its own lines.")
    }
}

extension LogLine {
    fileprivate static func setup(_ level: Level, _ what: String, _ advice: String) -> LogLine {
        LogLine(level, "\(what) \(advice)", category: .setup)
    }
}
