// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// The parameters of every event, the ids that were seen, and the events from before there was a client.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class EventCalls: @unchecked Sendable {
    /// The most events that are kept for a client that may never come.
    static let mostWaiting = 100

    private struct State {
        var client: LandfallClient?
        var seen = SeenIDs()
        var callback: [String: String] = [:]
        var partner: [String: String] = [:]
        var waiting: [OwnEvent] = []
    }

    private let notices: Notices
    private let lock = NSLock()
    private var state = State()

    init(_ notices: Notices) { self.notices = notices }

    func start(with client: LandfallClient) {
        let waiting = lock.withLock {
            defer { state.waiting = [] }
            state.client = client
            return state.waiting
        }
        for event in waiting { client.record(event) }
    }

    func remembers(_ limit: Int) { lock.withLock { state.seen.limit = limit } }

    /// - Parameter id: nil: the event is new.
    func record(_ event: OwnEvent, id: String? = nil) {
        var event = event
        let client: LandfallClient? = lock.withLock {
            if let id, !state.seen.isNew(id) {
                event.type = ""
                return nil
            }
            event.add(state.callback)
            event.add(state.partner, prefix: "partner.")
            if state.client == nil, state.waiting.count < Self.mostWaiting { state.waiting.append(event) }
            return state.client
        }
        if event.type.isEmpty {
            return notices.log(.info, "An event with an id that was seen before was not recorded again.")
        }
        if !event.shortened.isEmpty {
            notices.log(
                .warning,
                """
                These parameters of the event '\(event.type)' were cut or left out: \(event.shortened.joined(separator: ", ")). An event \
                takes \(OwnEvent.mostProperties) properties of \(OwnEvent.mostText) bytes.
                """)
        }
        client?.record(event)
    }

    var callbackParameters: [String: String] {
        get { lock.withLock { state.callback } }
        set { lock.withLock { state.callback = newValue } }
    }

    var partnerParameters: [String: String] {
        get { lock.withLock { state.partner } }
        set { lock.withLock { state.partner = newValue } }
    }
}

extension LandfallClient {
    fileprivate func record(_ event: OwnEvent) {
        record(event.type, value: event.value, currency: event.currency, properties: event.properties)
    }
}
