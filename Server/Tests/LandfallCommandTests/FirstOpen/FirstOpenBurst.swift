// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Thousands of phones that open at the same instant, each on its own connection, read by one thread.
final class FirstOpenBurst {
    private struct Phone {
        let connection: RawConnection
        var sentAt = ContinuousClock.now
        var firstAt: ContinuousClock.Instant?
        var bytes = Data()
        var ending: Ending?
    }

    struct Ending: Hashable {
        /// The reason in the line `end`; nil if the server closed without one.
        let reason: String?
        /// From the request to the last byte.
        let age: Duration
        /// From the first byte to the last.
        let length: Duration
        let isAnswered: Bool
    }

    private var phones: [Phone] = []
    private var open: [Int] = []
    private let holdMilliseconds: Int

    init(holdMilliseconds: Int) { self.holdMilliseconds = holdMilliseconds }

    var count: Int { phones.count }
    var endings: [Ending] { phones.compactMap(\.ending) }
    /// Every phone has its first bytes.
    var isUnderWay: Bool { phones.allSatisfy { $0.firstAt != nil } }
    var isOver: Bool { open.isEmpty }

    /// Connects without a request, a few hundred ahead of what the server has accepted: the system's accept queue has its own
    /// limit.
    func connect(_ count: Int, to port: Int, accepted: () throws -> Int) throws {
        let before = try accepted()
        for number in 1...count {
            phones.append(Phone(connection: try RawConnection(port: port)))
            let end = ContinuousClock.now + .seconds(30)
            while number.isMultiple(of: 100), try accepted() - before < number - 400, ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
    }

    /// All of them ask now.
    func ask() throws {
        let body = Data(
            #"{"adToken":"coming","placements":[{"id":"onboarding"}],"holdMilliseconds":\#(holdMilliseconds)}"#.utf8)
        for index in phones.indices {
            let digits = String(index)
            let install = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
            let profile = "Landfall-Profile: \(install).\(String(repeating: "A", count: 43))\r\n"
            phones[index].sentAt = .now
            try phones[index].connection.send(
                RawConnection.request("POST", "/v1/first-open", body: body, profile: profile))
        }
        open = Array(phones.indices)
    }

    /// Reads until the condition holds; false if it does not within that time.
    func read(within limit: Duration, until isDone: () -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while !isDone() {
            guard ContinuousClock.now < end else { return false }
            var polls = open.map { pollfd(fd: phones[$0].connection.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), 100) > 0 else { continue }
            var stillOpen: [Int] = []
            for (index, poll) in zip(open, polls) {
                if poll.revents != 0 { read(index) }
                if phones[index].ending == nil { stillOpen.append(index) }
            }
            open = stillOpen
        }
        return true
    }

    private func read(_ index: Int) {
        guard let data = phones[index].connection.read(within: 0) else { return }
        if phones[index].firstAt == nil { phones[index].firstAt = .now }
        phones[index].bytes += data
        let text = phones[index].bytes
        guard let line = text.range(of: Data(#""type":"end"}"#.utf8)) else {
            if data.isEmpty { end(index, reason: nil) }
            return
        }
        let start = text[..<line.lowerBound].lastIndex(of: UInt8(ascii: "{")) ?? text.startIndex
        let object = try? JSONSerialization.jsonObject(with: Data(text[start..<line.upperBound])) as? [String: Any]
        end(index, reason: object?["reason"] as? String)
    }

    private func end(_ index: Int, reason: String?) {
        let now = ContinuousClock.now, phone = phones[index]
        let text = String(decoding: phone.bytes, as: UTF8.self)
        let isAnswered = ["HTTP/1.1 200 ", #""type":"profile""#, #""type":"attribution""#, #""type":"paywall""#]
            .allSatisfy(text.contains)
        phones[index].ending = Ending(
            reason: reason, age: phone.sentAt.duration(to: now), length: (phone.firstAt ?? now).duration(to: now),
            isAnswered: isAnswered
        )
        phones[index].bytes = Data()
    }
}
