// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Duration {
    /// The only conversion from seconds as a floating-point number to a `Duration`: NaN and negative values become 0, values
    /// above `limit` (a day by default) become `limit`. (`Duration.seconds(.nan)` and `.seconds(1e30)` crash the process.)
    public init(checked seconds: TimeInterval, upTo limit: Duration = .seconds(86_400)) {
        if seconds.isNaN || seconds <= 0 {
            self = .zero
        } else if seconds >= limit / .seconds(1) {
            self = limit
        } else {
            self = .seconds(seconds)
        }
    }

    static func days(_ count: Int64) -> Duration { .seconds(86_400 * count) }

    func clamped(to range: ClosedRange<Duration>) -> Duration { min(max(self, range.lowerBound), range.upperBound) }

    /// 0…1 day: such a duration can be added to a clock's time without overflow.
    var withinADay: Duration { clamped(to: .zero ... .days(1)) }
}

extension Duration {
    /// `120 ms`, `3.2 s`, `5 min`, `2 h`, `3 days`.
    var inWords: String {
        let milliseconds = max(0, wholeMilliseconds)
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<120_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<7_200_000: return "\(milliseconds / 60_000) min"
        case ..<172_800_000: return "\(milliseconds / 3_600_000) h"
        default: return "\(milliseconds / 86_400_000) days"
        }
    }
}
