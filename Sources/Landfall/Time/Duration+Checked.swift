// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Duration {
    /// The only way from seconds as a floating-point number to a `Duration`: not a number and negative become 0, more than
    /// `limit`, a day where nothing is said, becomes that. (`Duration.seconds(.nan)` and `.seconds(1e30)` end the process.)
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

    /// 0…1 day: what may meet a clock without overflowing it.
    var withinADay: Duration { clamped(to: .zero ... .days(1)) }
}
