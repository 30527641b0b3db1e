// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A phone that makes one call after the other and repeats each until the server has answered it, as an outbox does.
final class PersistentCaller: Sendable {
    struct Record: Sendable {
        var answered: [PhoneCall] = []
        /// Calls that had to be sent more than once: they were in flight when the server was killed.
        var repeated = 0
        var epochs: Set<Int64> = []
        var refusals: [String] = []
    }

    struct Profile: Hashable, Sendable {
        var epoch: Int64
        var version: Int64
        var sessions: Int?
        var sources: [String]
    }

    let phone: PhoneCalls
    private let port: Int
    private let isOver = Atomic(false)
    private let isGivenUp = Atomic(false)
    private let kept = Mutex(Record())

    init(_ phone: PhoneCalls, port: Int) {
        self.phone = phone
        self.port = port
    }

    var record: Record { kept.withLock { $0 } }

    /// The call under way is the last; it is still repeated until it is answered.
    func stop() { isOver.store(true, ordering: .releasing) }

    /// The test no longer waits for answers.
    func giveUp() {
        stop()
        isGivenUp.store(true, ordering: .releasing)
    }

    /// Makes calls until it is stopped. Blocks.
    func run() {
        var calls = phone
        let line = Line(port: port)
        while !isOver.load(ordering: .acquiring) {
            let call = calls.next()
            var tries = 0
            while !isGivenUp.load(ordering: .acquiring) {
                tries += 1
                guard let answer = line.exchange(call, as: phone) else { continue }
                if answer.status == 503 { continue }  // the server says: again
                kept.withLock { record in
                    if answer.status != 200 { record.refusals.append("\(answer.status) \(answer.code ?? "") \(call.path)") }
                    if tries > 1 { record.repeated += 1 }
                    if let epoch = answer.profile?.epoch { record.epochs.insert(epoch) }
                    record.answered.append(call)
                }
                break
            }
        }
    }

    /// Sends everything again that was answered before, in the same order.
    /// - Returns: the statuses that were not 200.
    func repeatEverything() -> [Int] {
        let line = Line(port: port)
        return record.answered.filter { $0.kind != .firstOpen }.compactMap { call in
            let status = line.exchange(call, as: phone)?.status ?? 0
            return status == 200 ? nil : status
        }
    }

    /// The server's current profile of this phone.
    func profile() -> Profile? { Line(port: port).exchange(method: "GET", "/v1/profiles/me", nil, as: phone)?.profile }
}

/// A connection that is made anew whenever it broke.
private final class Line {
    private let port: Int
    private var connection: RawConnection?

    init(port: Int) { self.port = port }

    func exchange(_ call: PhoneCall, as phone: PhoneCalls) -> RawConnection.Answer? {
        let answer = exchange(method: "POST", call.path, call.body, as: phone)
        // A stream announces no length; whatever follows its head belongs to it.
        if call.kind == .firstOpen { connection = nil }
        return answer
    }

    func exchange(method: String, _ path: String, _ body: String?, as phone: PhoneCalls) -> RawConnection.Answer? {
        do {
            let open = try connection ?? RawConnection(port: port)
            connection = open
            try open.send(RawConnection.request(method, path, body: body.map { Data($0.utf8) }, profile: phone.profileHeader))
            if let answer = open.answer() { return answer }
        } catch {
            Thread.sleep(forTimeInterval: 0.005)  // No server is listening: it is starting again.
        }
        connection = nil
        return nil
    }
}

extension RawConnection.Answer {
    fileprivate var profile: PersistentCaller.Profile? {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let profile = object["profile"] as? [String: Any], let epoch = profile["epoch"] as? Int64,
            let version = profile["version"] as? Int64
        else { return nil }
        return PersistentCaller.Profile(
            epoch: epoch, version: version, sessions: (profile["customAttributes"] as? [String: Any])?["sessions"] as? Int,
            sources: profile["appliedAttributionSources"] as? [String] ?? []
        )
    }
}
