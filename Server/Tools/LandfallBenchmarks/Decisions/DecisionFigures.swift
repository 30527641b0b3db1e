// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

/// What one decision takes, in CPU time of one thread.
struct DecisionFigures {
    let trial: DecisionTrial

    private struct Figures: Encodable {
        let perSecond: Double
        let microseconds: Double
        let microsecondsWithFacts: Double
        /// For each profile.
        let chosen: [String]
    }

    func run() throws {
        let decided = seconds { trial.decide(times: $0) }
        let anew = seconds { trial.decideAnew(times: $0) }
        let figures = Figures(
            perSecond: 1 / decided, microseconds: decided * 1e6, microsecondsWithFacts: anew * 1e6, chosen: trial.chosen)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    /// The time of one decision: the best of five, because other work on the machine can only add to it.
    private func seconds(_ body: (Int) -> Int) -> Double {
        var times = 1000
        while measured(times, body) < 0.1 { times *= 2 }
        return (0..<5).map { _ in measured(times, body) }.min()! / Double(times)
    }

    private func measured(_ times: Int, _ body: (Int) -> Int) -> Double {
        let start = now()
        let found = body(times)
        precondition(found >= 0, "There are no fewer than none.")
        return now() - start
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
