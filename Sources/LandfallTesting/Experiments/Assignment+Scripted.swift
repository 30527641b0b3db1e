// SPDX-License-Identifier: Apache-2.0
public import Landfall

extension Assignment {
    /// A variation that a test gives: in the experiment's first epoch, and in no bucket in particular.
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
