// SPDX-License-Identifier: Apache-2.0
public import Landfall

extension Assignment {
    /// An assignment for tests: this variation, in the experiment's first epoch and in bucket 0.
    ///
    /// One test for every variation:
    /// ```swift
    /// server.shows("default", at: "onboarding", assignment: .to("B", of: "spring-price"))
    /// server.showsNothing(at: "onboarding", assignment: .to("C", of: "spring-price"))
    /// ```
    public static func to(_ variation: VariationName, of experiment: ExperimentID) -> Assignment {
        Assignment(experiment: experiment, epoch: 1, variation: variation, bucket: 0)
    }
}
