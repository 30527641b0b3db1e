// SPDX-License-Identifier: Apache-2.0
@testable import LandfallReports

extension Array where Element: ReportDimension {
    /// - Parameter text: names with commas between, as an address has them.
    static func named(_ text: String) throws -> Self { try Element.named(text.split(separator: ",").map(String.init)) }
}
