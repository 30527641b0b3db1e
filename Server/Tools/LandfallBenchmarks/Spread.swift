// SPDX-License-Identifier: Apache-2.0

/// The middle of some numbers, and where half of them are.
struct Spread: Encodable {
    let count: Int
    let median, lowerQuartile, upperQuartile, least, most: Double

    /// - Parameter numbers: at least one.
    init(_ numbers: [Double]) {
        let sorted = numbers.sorted(), last = Double(sorted.count - 1)
        count = sorted.count
        median = sorted.count % 2 == 1 ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
        (lowerQuartile, upperQuartile) = (sorted[Int((last / 4).rounded())], sorted[Int((last * 3 / 4).rounded())])
        (least, most) = (sorted[0], sorted[sorted.count - 1])
    }
}
