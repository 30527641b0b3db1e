// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// The alarms of one event loop's connections. Setting and clearing one takes constant time. To cancel a scheduled task, the
/// loop searches all of them: with thousands of connections that was a third of the server's work.
///
/// An alarm rings on a multiple of ``step``, so it is late by at most one step. Use it on its loop only.
final class EventLoopAlarms {
    static let step = TimeAmount.milliseconds(100)

    final class Alarm {
        fileprivate let tick: Int64
        fileprivate var ring: (() -> Void)?

        fileprivate init(tick: Int64, ring: @escaping () -> Void) {
            self.tick = tick
            self.ring = ring
        }
    }

    private let loop: any EventLoop
    private var ticks: [Int64: [ObjectIdentifier: Alarm]] = [:]
    private var isTicking = false

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Rings once after that time, unless it is cleared first.
    func set(after time: TimeAmount, _ ring: @escaping () -> Void) -> Alarm {
        let step = Self.step.nanoseconds
        let at = Int64(clamping: (loop.now + time).uptimeNanoseconds)
        let alarm = Alarm(tick: at / step + (at % step == 0 ? 0 : 1), ring: ring)
        ticks[alarm.tick, default: [:]][ObjectIdentifier(alarm)] = alarm
        tickOn()
        return alarm
    }

    /// Keeps the alarm from ringing; a second call does nothing.
    func clear(_ alarm: Alarm?) {
        guard let alarm, alarm.ring != nil else { return }
        alarm.ring = nil
        ticks[alarm.tick]?[ObjectIdentifier(alarm)] = nil
        if ticks[alarm.tick]?.isEmpty == true { ticks[alarm.tick] = nil }
    }

    private func tickOn() {
        guard !isTicking, !ticks.isEmpty else { return }
        isTicking = true
        let next = Int64(clamping: loop.now.uptimeNanoseconds) / Self.step.nanoseconds + 1
        let at = NIODeadline.uptimeNanoseconds(UInt64(next * Self.step.nanoseconds))
        loop.assumeIsolated().scheduleTask(deadline: at) { [self] in ringDue() }
    }

    private func ringDue() {
        isTicking = false
        let now = Int64(clamping: loop.now.uptimeNanoseconds) / Self.step.nanoseconds
        for tick in ticks.keys.filter({ $0 <= now }).sorted() {
            for alarm in ticks.removeValue(forKey: tick)?.values ?? [:].values {
                let ring = alarm.ring
                alarm.ring = nil
                ring?()
            }
        }
        tickOn()
    }
}

/// The alarms of each event loop of one server.
final class Alarms: Sendable {
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<EventLoopAlarms>]>([:])

    /// Call it on that loop only.
    func alarms(of loop: any EventLoop) -> EventLoopAlarms {
        loops.withLock { loops in
            if let alarms = loops[ObjectIdentifier(loop)] { return alarms.value }
            let alarms = EventLoopAlarms(loop)
            loops[ObjectIdentifier(loop)] = NIOLoopBound(alarms, eventLoop: loop)
            return alarms
        }
    }
}
