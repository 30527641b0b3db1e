// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What the audiences of a configuration compare: usually three of thirty values. A paywall's answer prepares only these.
package struct ComparedValues: Hashable, Sendable {
    /// One for each ``AudienceAttribute``, in their order.
    private var attributes: [Bool]
    private var customs: Set<ExactText> = []
    /// Whether any of them is about purchases.
    package private(set) var readsPurchases = false

    /// Everything, for explanations and for audiences that are not served.
    package static let all: ComparedValues? = nil

    package init(_ placements: some Sequence<Placement>) {
        attributes = Array(repeating: false, count: AudienceAttribute.allCases.count)
        for leaf in placements.lazy.flatMap(\.program.leaves) {
            let subject = leaf.test.subject
            if case .known(let attribute) = subject { attributes[FactValues.place(of: attribute)] = true }
            if let name = subject.cellName { customs.insert(ExactText(name)) }
            if subject.changedBy.contains(.purchases) { readsPurchases = true }
        }
    }

    package func has(_ attribute: AudienceAttribute) -> Bool { hasAttribute(at: FactValues.place(of: attribute)) }

    /// - Parameter place: of an attribute, see ``FactValues/place(of:)``.
    func hasAttribute(at place: Int) -> Bool { attributes[place] }

    func hasCustom(_ name: String) -> Bool { !customs.isEmpty && customs.contains(ExactText(name)) }
}
