// SPDX-License-Identifier: Apache-2.0

/// What `landfall results --input` reads: the numbers of an experiment as JSON. docs/features/experiments.md has its form.
package struct NumbersDocument: Hashable, Sendable {
    package static let mostBytes = 16 << 20

    package let numbers: ExperimentNumbers
    /// Remarks about parts that the author may have meant differently.
    package let remarks: [String]

    /// - Throws: ``NumbersError`` with the way to the first wrong value.
    package init(_ bytes: [UInt8]) throws(NumbersError) {
        guard bytes.count <= Self.mostBytes else {
            throw NumbersError(
                path: "", problem: "The document has more than \(Self.mostBytes >> 20) MiB. Add some of its strata up.")
        }
        var remarks: [String] = []
        let known: Set = [
            "experiment", "state", "day", "alpha", "plannedUnits", "basis", "metric", "looks", "strata", "guardrails",
            "secondaries",
            "segments", "history", "ratioParts", "notes", "highestPrice", "currency", "cap", "uncappedMeans", "unconverted",
            "decided", "shown", "crossovers", "matured", "echoed", "fallbackFirst",
        ]
        let root = try NumbersObject(NumbersNode(value: try OrderedJSON(bytes), path: ""), known: known, remarks: &remarks)
        let strata = try StrataReader(try root.required("strata"), remarks: &remarks)
        let price = try root["highestPrice"]?.number() ?? 0
        let cap = Spending.cap(strata.spendings, highestPrice: price), names = strata.names
        guard (1...100).contains(names.count) else {
            throw try root.required("strata").wrong("1 to 100 variations can be compared.")
        }
        let counted = try strata.counted(names, cap: cap) { _ in nil }
        let isRate = counted.allSatisfy { $0.samples.allSatisfy { $0?.kind != .mean } }
        let metric = try root["metric"]?.text() ?? (isRate ? "conversions" : "sum")
        var numbers = ExperimentNumbers(variations: names, primary: .init(name: metric, strata: counted))
        try Self.readSettings(root, into: &numbers)
        if !strata.spendings.isEmpty {
            let uncapped = try strata.counted(names, cap: nil) { _ in nil }
            numbers.cap = cap
            numbers.uncappedMeans = names.indices.map { numbers.pooled(uncapped, $0)?.mean }
        } else {
            try Self.readCapped(root, into: &numbers)
        }
        numbers.currency = try root["currency"]?.text()
        for node in try root["unconverted"]?.list() ?? [] {
            let object = try NumbersObject(node, known: ["metric", "units", "currencies"], remarks: &remarks)
            var currencies: [String] = []
            for currency in try object["currencies"]?.list() ?? [] { currencies.append(try currency.text()) }
            numbers.unconverted.append(
                .init(metric: try object.required("metric").text(), units: try object["units"]?.count(), currencies: currencies))
        }
        numbers.ratio = try Self.ratio(root["looks"], strata, counted, names)
        numbers.ratioParts = try RatioPartsReader(names: names).read(root["ratioParts"], remarks: &remarks)
        for note in try root["notes"]?.list() ?? [] { numbers.notes.append(try note.text()) }
        let reader = MetricsReader(names: names, weights: counted.map(\.weights), highestPrice: price)
        try reader.read(root, into: &numbers, remarks: &remarks)
        Self.compare(numbers, &remarks)
        (self.numbers, self.remarks) = (numbers, remarks)
    }

    /// Of sums that were capped before.
    private static func readCapped(_ root: NumbersObject, into numbers: inout ExperimentNumbers) throws(NumbersError) {
        numbers.cap = try root["cap"]?.number()
        guard let node = root["uncappedMeans"] else { return }
        var means = [Double?](repeating: nil, count: numbers.variations.count)
        let names = VariationNames(numbers.variations)
        for (name, node) in try node.members() {
            guard let place = names.place(of: name) else {
                throw node.wrong("There is no such variation. Use \(numbers.variations.joined(separator: ", ")).")
            }
            means[place] = try node.number()
        }
        numbers.uncappedMeans = means
    }

    private static func readSettings(_ root: NumbersObject, into numbers: inout ExperimentNumbers) throws(NumbersError) {
        if let node = root["alpha"] {
            numbers.alpha = try node.number()
            guard numbers.alpha > 0, numbers.alpha <= 0.5 else {
                throw node.wrong("\(numbers.alpha) is not above 0 and at most 0.5. Use 0.05.")
            }
        }
        if let node = root["plannedUnits"] {
            numbers.plannedUnits = try node.count()
            guard numbers.plannedUnits > 0 else {
                throw node.wrong("At least one unit has to be planned. Leave it out for 5000.")
            }
        }
        if let node = root["basis"] {
            guard let basis = ExperimentNumbers.Basis(rawValue: try node.text()) else {
                throw node.wrong("Use shown or decided.")
            }
            numbers.basis = basis
        }
        numbers.facts.experiment = try root["experiment"]?.text()
        numbers.facts.state = try root["state"]?.text()
        numbers.facts.day = try root["day"]?.count()
        numbers.facts.crossovers = try root["crossovers"]?.share()
        numbers.facts.matured = try root["matured"]?.share()
        numbers.facts.echoed = try root["echoed"]?.count()
        numbers.facts.fallbackFirst = try root["fallbackFirst"]?.count()
        numbers.facts.shown = try root["shown"].map { (node) throws(NumbersError) in try Self.counts(node, numbers.variations) }
        guard let decided = root["decided"] else { return }
        let counts = try Self.counts(decided, numbers.variations)
        for (place, name) in numbers.variations.enumerated() {
            let shown = numbers.facts.shown?[place] ?? numbers.pooled(numbers.primary.strata, place)?.units ?? 0
            guard counts[place] >= shown else {
                throw NumbersError(
                    path: "decided.\(name)",
                    problem: "\(counts[place]) units were decided, fewer than the \(shown) that were shown.")
            }
        }
        numbers.facts.decided = counts
    }

    /// A count for each variation; 0 for one that is missing.
    private static func counts(_ node: NumbersNode, _ variations: [String]) throws(NumbersError) -> [Int] {
        var counts = Array(repeating: 0, count: variations.count)
        let names = VariationNames(variations)
        for (name, node) in try node.members() {
            guard let place = names.place(of: name) else {
                throw node.wrong("There is no such variation. Use \(variations.joined(separator: ", ")).")
            }
            counts[place] = try node.count()
        }
        return counts
    }

    /// Looks of all strata together if their weights are the same; else looks of each stratum.
    private static func ratio(
        _ looks: NumbersNode?, _ strata: StrataReader, _ counted: [ExperimentNumbers.Stratum], _ names: [String]
    ) throws(NumbersError) -> [ExperimentNumbers.RatioLooks] {
        func read(_ node: NumbersNode) throws(NumbersError) -> [[Int]] {
            var looks: [[Int]] = []
            for look in try node.list() {
                var units: [Int] = []
                for count in try look.list() { units.append(try count.count()) }
                guard units.count == names.count else {
                    throw look.wrong("A look has a number for each variation: \(names.joined(separator: ", ")).")
                }
                looks.append(units)
            }
            return looks
        }
        if let looks {
            if let stratum = strata.strata.first(where: { $0.looks != nil }) {
                throw stratum.looks?.wrong("Looks are in this stratum and beside the strata. Remove one of them.") ?? looks.wrong("")
            }
            let shares = counted.map { stratum in stratum.weights.map { $0 / stratum.weights.reduce(0, +) } }
            guard shares.allSatisfy({ zip($0, shares[0]).allSatisfy { abs($0 - $1) < 1e-12 } }) else {
                throw looks.wrong("The strata have different weights. Give each stratum looks of its own.")
            }
            return [.init(weights: counted[0].weights, looks: try read(looks))]
        }
        guard strata.strata.contains(where: { $0.looks != nil }) else { return [] }
        var ratio: [ExperimentNumbers.RatioLooks] = []
        for (stratum, counts) in zip(strata.strata, counted) {
            let whole = [counts.samples.map { $0?.units ?? 0 }]
            let looks = try stratum.looks.map { (node) throws(NumbersError) in try read(node) } ?? whole
            var days: [Int] = []
            for day in try stratum.days?.list() ?? [] { days.append(try day.count()) }
            if let node = stratum.days, days.count != looks.count {
                throw node.wrong("There are \(looks.count) looks and \(days.count) days. Give each look its day.")
            }
            ratio.append(.init(weights: counts.weights, looks: looks, days: days))
        }
        return ratio
    }

    private static func compare(_ numbers: ExperimentNumbers, _ remarks: inout [String]) {
        guard !numbers.ratio.isEmpty else { return }
        let looked = numbers.ratio.flatMap(\.looks).reduce(into: numbers.variations.map { _ in 0 }) { sums, look in
            for place in look.indices { sums[place] += look[place] }
        }
        let units = numbers.variations.indices.map { numbers.pooled(numbers.primary.strata, $0)?.units ?? 0 }
        if looked != units {
            remarks.append(
                "looks add up to \(looked.map(String.init).joined(separator: ", ")) units, the strata to \(units.map(String.init).joined(separator: ", ")). The ratio's p is of the looks, chi-square of the strata."
            )
        }
    }
}
