// SPDX-License-Identifier: Apache-2.0

/// Reads the `strata` of one metric.
struct StrataReader {
    struct Stratum {
        let node: NumbersNode
        /// By name, in the order of the document; nil if the document names none.
        let weights: [(name: String, weight: Double)]?
        let samples: [(name: String, amounts: Amounts)]
        let looks: NumbersNode?
        /// The days of the looks, so that epochs which overlap are looked at together.
        let days: NumbersNode?
    }

    /// What one variation did, before a cap that all of them share.
    enum Amounts {
        case sample(Sample)
        case spending(Spending)
    }

    static let mostStrata = 10_000

    let strata: [Stratum]
    private let node: NumbersNode

    init(_ node: NumbersNode, remarks: inout [String]) throws(NumbersError) {
        self.node = node
        let nodes = try node.list()
        guard !nodes.isEmpty else { throw node.wrong("At least one stratum is needed.") }
        guard nodes.count <= Self.mostStrata else {
            throw node.wrong("More than \(Self.mostStrata) strata. Add some of them up.")
        }
        var strata: [Stratum] = []
        for node in nodes { strata.append(try Self.stratum(node, &remarks)) }
        self.strata = strata
    }

    /// All variations in the order in which they come first; where a stratum has weights, in their order.
    var names: [String] {
        var names = VariationNames()
        for stratum in strata {
            for name in (stratum.weights?.map(\.name) ?? []) + stratum.samples.map(\.name) { names.add(name) }
        }
        return names.all
    }

    /// All payments of all variations; empty if the document has sums.
    var spendings: [Spending] {
        strata.flatMap(\.samples).compactMap { if case .spending(let spending) = $0.amounts { spending } else { nil } }
    }

    /// - Parameter weights: of a stratum that names none.
    func counted(_ names: [String], cap: Double?, weights: (Int) -> [Double]?) throws(NumbersError) -> [ExperimentNumbers
        .Stratum]
    {
        var counted: [ExperimentNumbers.Stratum] = []
        let places = VariationNames(names)
        for (place, stratum) in strata.enumerated() {
            var samples: [Sample?] = Array(repeating: nil, count: names.count)
            for (name, amounts) in stratum.samples {
                guard let variation = places.place(of: name) else {
                    throw stratum.node.wrong(
                        "'\(name)' is not a variation of the primary metric. Use \(names.joined(separator: ", ")).")
                }
                samples[variation] = try sample(amounts, cap: cap, stratum, name)
            }
            counted.append(
                .init(
                    weights: try self.weights(of: stratum, places, samples) ?? weights(place)
                        ?? samples.map { $0 == nil ? 0 : 1 }, samples: samples))
        }
        return counted
    }

    private func sample(_ amounts: Amounts, cap: Double?, _ stratum: Stratum, _ name: String) throws(NumbersError) -> Sample {
        switch amounts {
        case .sample(let sample): return sample
        case .spending(let spending):
            let node = NumbersNode(value: .null, path: "\(stratum.node.path).variations.\(name)")
            return try node.naming { () throws(SampleError) in try spending.sample(cap: cap ?? .infinity) }
        }
    }

    private func weights(of stratum: Stratum, _ names: VariationNames, _ samples: [Sample?]) throws(NumbersError) -> [Double]? {
        guard let named = stratum.weights else { return nil }
        var weights = Array(repeating: 0.0, count: names.all.count)
        var given = VariationNames()
        for (name, weight) in named {
            given.add(name)
            guard let place = names.place(of: name) else {
                throw NumbersError(
                    path: "\(stratum.node.path).weights.\(name)",
                    problem: "There is no such variation. Use \(names.all.joined(separator: ", ")).")
            }
            guard weight == 0 || samples[place] != nil else {
                throw NumbersError(
                    path: "\(stratum.node.path).variations.\(name)",
                    problem: "This is missing. Write {\"units\": 0, \"conversions\": 0} if nobody came.")
            }
            weights[place] = weight
        }
        for (name, _) in stratum.samples where given.place(of: name) == nil {
            throw NumbersError(
                path: "\(stratum.node.path).weights.\(name)", problem: "This is missing. Each variation has a weight.")
        }
        return weights
    }

    private static func stratum(_ node: NumbersNode, _ remarks: inout [String]) throws(NumbersError) -> Stratum {
        let object = try NumbersObject(node, known: ["weights", "variations", "looks", "days", "epoch", "name"], remarks: &remarks)
        var weights: [(name: String, weight: Double)]?
        if let given = object["weights"] {
            weights = []
            for (name, node) in try given.members() {
                let weight = try node.number()
                guard weight >= 0 else { throw node.wrong("\(weight) is not a weight. Use a number from 0 on.") }
                weights?.append((name, weight))
            }
            guard weights?.contains(where: { $0.weight > 0 }) == true else {
                throw given.wrong("At least one weight has to be above 0.")
            }
        }
        var samples: [(name: String, amounts: Amounts)] = []
        for (name, node) in try object.required("variations").members() { samples.append((name, try amounts(node, &remarks))) }
        return Stratum(node: node, weights: weights, samples: samples, looks: object["looks"], days: object["days"])
    }

    private static func amounts(_ node: NumbersNode, _ remarks: inout [String]) throws(NumbersError) -> Amounts {
        let known: Set = ["units", "conversions", "sum", "sumOfSquares", "values", "measured"]
        let object = try NumbersObject(node, known: known, remarks: &remarks)
        let units = try object.required("units").count()
        let conversions = object["conversions"]
        if let measured = object["measured"], try !measured.flag() {
            return .sample(try node.naming { () throws(SampleError) in try Sample(unmeasured: units) })
        }
        if let values = object["values"] {
            var amounts: [Spending.Amount] = []
            for pair in try values.list() {
                let parts = try pair.list()
                guard parts.count == 2 else {
                    throw pair.wrong("This has to be an amount and how many units paid it, as in [9.99, 20].")
                }
                amounts.append(.init(value: try parts[0].number(), count: try parts[1].count()))
            }
            return .spending(try node.naming { () throws(SampleError) in try Spending(units: units, amounts: amounts) })
        }
        if object["sum"] != nil || object["sumOfSquares"] != nil {
            let sum = try object.required("sum").number(), squares = try object.required("sumOfSquares").number()
            let buyers: Int? = if let conversions { try conversions.count() } else { nil }
            return .sample(
                try node.naming { () throws(SampleError) in
                    try Sample(units: units, sum: sum, sumOfSquares: squares, conversions: buyers)
                })
        }
        let converted = try object.required("conversions").count()
        return .sample(try node.naming { () throws(SampleError) in try Sample(units: units, conversions: converted) })
    }
}
