// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Landfall

/// The one client of a process in which several modules start by their own names: the first makes it, the others join it. One
/// client has the files at a time.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
package final class SharedClient: @unchecked Sendable {
    package static let current = SharedClient()

    private struct Made {
        let client: LandfallClient
        let configuration: LandfallConfiguration
    }

    private struct State {
        var made: Made?
        var waiting: [@Sendable (LandfallClient) -> Void] = []
    }

    private let lock = NSLock()
    private var state = State()

    package init() {}

    package var client: LandfallClient? { lock.withLock { state.made?.client } }
    /// The links that the client was made with.
    package var links: LinkRules? { lock.withLock { state.made?.configuration.links } }

    /// The client that exists, else one with this configuration. Making one does no input or output; of two that are made at
    /// once, one is dropped. A module that joins is told by its log what of its configuration does not count.
    /// - Parameter make: tests put their own transport and storage into the configuration here.
    package func client(
        _ configuration: LandfallConfiguration, make: (LandfallConfiguration) -> LandfallClient = { LandfallClient($0) }
    ) -> LandfallClient {
        if let made = lock.withLock({ state.made }) { return join(made, configuration) }
        let client = make(configuration)
        let (made, waiting) = lock.withLock {
            defer { state.waiting = [] }
            if let made = state.made { return (made, state.waiting) }
            let made = Made(client: client, configuration: configuration)
            state.made = made
            return (made, state.waiting)
        }
        for call in waiting { call(made.client) }
        return made.client === client ? client : join(made, configuration)
    }

    /// Calls at once if there is a client, else when there is one.
    package func whenMade(_ call: @escaping @Sendable (LandfallClient) -> Void) {
        let client = lock.withLock {
            if state.made == nil { state.waiting.append(call) }
            return state.made?.client
        }
        if let client { call(client) }
    }

    private func join(_ made: Made, _ configuration: LandfallConfiguration) -> LandfallClient {
        for line in ConfigurationDifference(made: made.configuration, wanted: configuration).lines { configuration.log(line) }
        return made.client
    }
}
