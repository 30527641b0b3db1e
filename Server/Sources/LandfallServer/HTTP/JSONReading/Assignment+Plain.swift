// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Assignment {
    init(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) {
        var experiment: String?, epoch: Int64?, variation: String?, bucket: Int64?
        try json.object { (json, key) throws(PlainJSON.NotPlain) in
            switch key {
            case "experiment": try experiment.set(json.string())
            case "epoch": try epoch.set(json.integer())
            case "variation": try variation.set(json.string())
            case "bucket": try bucket.set(json.integer())
            default: throw PlainJSON.NotPlain()
            }
        }
        guard let experiment, let epoch, let variation, let bucket else { throw PlainJSON.NotPlain() }
        self.init(experiment: ExperimentID(experiment), epoch: epoch, variation: VariationName(variation), bucket: bucket)
    }

    static func list(plain json: inout PlainJSON) throws(PlainJSON.NotPlain) -> [Assignment] {
        var assignments: [Assignment] = []
        try json.list { json throws(PlainJSON.NotPlain) in assignments.append(try Assignment(plain: &json)) }
        return assignments
    }
}
