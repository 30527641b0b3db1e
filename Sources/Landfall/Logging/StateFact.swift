// SPDX-License-Identifier: Apache-2.0

/// One fact about a launch, in a form for developers.
struct StateFact: Hashable, Sendable {
    let category: LogLine.Category
    let subject: String
    let value: String

    init(_ category: LogLine.Category, _ subject: String, _ value: String) {
        self.category = category
        self.subject = subject
        self.value = value
    }
}
