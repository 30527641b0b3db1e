// SPDX-License-Identifier: Apache-2.0

/// What a look from outside found about one host of the configuration.
package struct DomainLook: Hashable, Sendable {
    package let host: String
    /// Whole days until its certificate ends; nil if the host cannot be reached from here.
    package var certificateDays: Int64?
    /// Why phones do not trust the certificate; nil if they do, or if nobody knows.
    package var certificateProblem: String?
    /// What the host answers to the question for the association file; nil if it was not asked, or cannot be reached from here.
    package var association: DoctorFinding?
    /// The same about Apple's copy.
    package var appleCopy: DoctorFinding?

    package init(host: String) { self.host = host }
}
