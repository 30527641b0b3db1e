// SPDX-License-Identifier: Apache-2.0

/// Reads the parts whose sample ratio is checked separately.
struct RatioPartsReader {
    let names: [String]

    func read(_ node: NumbersNode?, remarks: inout [String]) throws(NumbersError) -> [ExperimentNumbers.RatioPart] {
        var parts: [ExperimentNumbers.RatioPart] = []
        for node in try node?.list() ?? [] {
            let object = try NumbersObject(node, known: ["by", "value", "epochs"], remarks: &remarks)
            var epochs: [ExperimentNumbers.RatioLooks] = []
            for node in try object.required("epochs").list() {
                let epoch = try NumbersObject(node, known: ["weights", "units"], remarks: &remarks)
                var weights: [Double] = [], units: [Int] = []
                for weight in try epoch.required("weights").list() { weights.append(try weight.number()) }
                for count in try epoch.required("units").list() { units.append(try count.count()) }
                guard weights.count == names.count, units.count == names.count else {
                    throw node.wrong("A weight and a number of units are needed for each variation: \(names.joined(separator: ", ")).")
                }
                guard weights.allSatisfy({ $0 >= 0 }), weights.contains(where: { $0 > 0 }) else {
                    throw node.wrong("Weights are 0 or more, and one of them is above 0.")
                }
                epochs.append(.init(weights: weights, looks: [units]))
            }
            parts.append(
                .init(by: try object.required("by").text(), value: try object.required("value").text(), epochs: epochs))
        }
        return parts
    }
}
