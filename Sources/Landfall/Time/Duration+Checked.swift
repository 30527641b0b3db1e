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
