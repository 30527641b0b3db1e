// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// What an app lets the SDK collect.
///
/// - C1: while collection is off or essential, nothing leaves the phone that the mode forbids: no ad token and
///   no device's id; with off also no events, purchases and clicks.
/// - C2: a mode that was stored counts in the next launch too, before the app has said anything.
enum CollectionRule {
    /// - Parameter headers: with names in any case.
    /// - Returns: what must not leave.
    static func breach(of mode: CollectionMode, _ method: String, _ path: String, headers: [String], body: String) -> String? {
        guard mode != .full else { return nil }
        if path == WirePath.adToken { return "an ad token" }
        if path == WirePath.firstOpen, body.contains(#""sim."#) { return "an ad token in a first open" }
        if headers.contains(where: { $0.lowercased() == WireHeader.device.lowercased() }) { return "the device's id" }
        guard mode == .off else { return nil }
        if path == WirePath.events { return "events" }
        if path == WirePath.purchases { return "purchases" }
        return path == WirePath.linkOpen && body.contains(#""recordsClick":true"#) ? "a click" : nil
    }
}

extension PhoneLaunch {
    /// A mode and since when it is in force.
    struct Mode: Sendable {
        let mode: CollectionMode
        let since: Duration
        /// The app has said it in this launch.
        let isSaid: Bool
    }

    /// What was under way when the mode changed may still leave.
    private static let grace: Duration = .milliseconds(10)
    /// After this time it is stored, unless the disk does not take it.
    private static let storing: Duration = .seconds(2)

    /// The app says now and then what the SDK may collect, before the start or later.
    func useModes(_ dice: Dice, _ trace: VirtualTrace) {
        let stored = phone.promise { $0.collection }
        record.withLock { $0.mode = stored.map { Mode(mode: $0, since: startedAt, isSaid: false) } }
        transport.watch { [weak self] request in self?.leaves(request, trace) }
        if dice.happens(0.3) { change(to: dice.one(of: [.off, .essential, .full]), trace) }
        for _ in 0..<dice.number(0...2) {
            let mode: CollectionMode = dice.one(of: [.off, .off, .essential, .full])
            at(dice.one(of: [dice.time(0...300), dice.time(0...6_000)])) { [self] in change(to: mode, trace) }
        }
    }

    private func change(to mode: CollectionMode, _ trace: VirtualTrace) {
        trace.say("\(name): lets the SDK collect \(mode.rawValue)")
        if phone.planted != .unheardModes { client.collection = mode }
        record.withLock { record in
            record.mode = Mode(mode: mode, since: clock.elapsed, isSaid: true)
            // What was answered under the other mode may count no more.
            record.isPersonChanged = true
            record.shown = [:]
        }
        // Until it is stored for certain, the next launch may begin with either.
        phone.promise { $0.collection = nil }
    }

    /// A request leaves the phone.
    private func leaves(_ request: TransportRequest, _ trace: VirtualTrace) {
        guard let mode = record.withLock(\.mode), !mode.isSaid || clock.elapsed > mode.since + Self.grace else { return }
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let found = CollectionRule.breach(of: mode.mode, request.method, request.url.path, headers: Array(request.headers.keys), body: body)
        guard let found else { return }
        trace.broke(mode.isSaid ? "C1" : "C2", "\(name): \(found) leaves although collection is \(mode.mode.rawValue)")
    }

    /// At the kill: whether the next launch begins with the mode of this one.
    func noteMode() {
        guard let mode = record.withLock(\.mode) else { return }
        let isCertain = plan.lockedUntil == .zero && plan.diskIsFull == nil && plan.suspension == nil && disk.isWritable
        guard isCertain, clock.elapsed > mode.since + Self.storing else { return }
        phone.promise { $0.collection = mode.mode }
    }
}
