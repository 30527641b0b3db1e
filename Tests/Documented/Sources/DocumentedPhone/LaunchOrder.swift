// SPDX-License-Identifier: Apache-2.0
import Adapty

/// The arguments of the command line.
struct LaunchOrder {
    let configuration: AdaptyConfiguration
    let placement: String
    /// The fallback file that the app bundles.
    let fallback: URL?
    /// Seconds, given to the sample.
    let timeout: TimeInterval
    let isOnMainActor: Bool
    /// Which of the document's lines the app runs.
    let flow: Flow

    enum Flow: String {
        /// The loader, called by the app.
        case loader
        /// The observer wired by the document's line, the loader called by the document's splash screen.
        case splash
        /// The delegate of step 3 alone.
        case delegate
        /// The delegate of step 3, and the timer of step 4 that requests the paywall anyway: whichever comes first.
        case timer
    }

    init(_ arguments: some Sequence<String>) throws {
        var values: [String: String] = [:]
        var arguments = Array(arguments)[...]
        while let flag = arguments.popFirst() {
            values[flag] = flag == "--main-actor" ? "" : arguments.popFirst()
        }
        guard let server = values["--server"].flatMap({ URL(string: $0) }), let storage = values["--storage"] else {
            throw MissingArgument()
        }
        configuration =
            AdaptyConfiguration
            .builder(withAPIKey: values["--key"] ?? "pk_demo")
            .with(serverURL: server)
            .with(adTokens: PhoneToken(value: values["--token"]))
            .with(storageDirectory: URL(fileURLWithPath: storage, isDirectory: true))
            .build()
        placement = values["--placement"] ?? "onboarding"
        fallback = values["--fallback"].map { URL(fileURLWithPath: $0) }
        timeout = values["--timeout"].flatMap(TimeInterval.init) ?? 5
        flow = values["--flow"].flatMap(Flow.init) ?? .loader
        isOnMainActor = values["--main-actor"] != nil
    }
}

/// What stands for AdServices here.
private struct PhoneToken: AdTokenSource {
    struct None: Error {}
    let value: String?

    func token() async throws -> String {
        guard let value else { throw None() }
        return value
    }
}

struct MissingArgument: Error, CustomStringConvertible {
    let description = "--server URL and --storage DIR are needed."
}
