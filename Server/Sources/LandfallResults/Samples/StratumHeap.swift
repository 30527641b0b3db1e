// SPDX-License-Identifier: Apache-2.0

/// Strata of which the smallest is taken, again and again: each step takes a time that grows with the logarithm of their number.
struct StratumHeap {
    private var strata: [PairedStrata.Stratum] = []

    init(_ strata: [PairedStrata.Stratum]) { self.strata = strata.sorted(by: PairedStrata.Stratum.isSmaller) }

    mutating func insert(_ stratum: PairedStrata.Stratum) {
        strata.append(stratum)
        var place = strata.count - 1
        while place > 0, isSmaller(place, (place - 1) / 2) {
            strata.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func popLeast() -> PairedStrata.Stratum? {
        guard let least = strata.first else { return nil }
        let last = strata.removeLast()
        guard !strata.isEmpty else { return least }
        strata[0] = last
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < strata.count }
            guard let child = children.min(by: isSmaller), isSmaller(child, place) else { return least }
            strata.swapAt(place, child)
            place = child
        }
    }

    private func isSmaller(_ one: Int, _ other: Int) -> Bool {
        PairedStrata.Stratum.isSmaller(strata[one], strata[other])
    }
}
