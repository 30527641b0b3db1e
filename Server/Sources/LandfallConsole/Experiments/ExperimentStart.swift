// SPDX-License-Identifier: Apache-2.0

/// What starts a draft: the metric that decides, and for how many units it is planned.
struct ExperimentStart: Hashable, Sendable {
    /// Of the configuration.
    let metrics: [String]
    var primary: String
    /// As it was typed.
    var plannedUnits: String
    var problems: [FieldProblem] = []

    /// The next page shows what changes, and publishes it.
    func html(_ name: String, _ frame: Frame) -> HTML {
        let words = frame.words.experiments
        return section(.class("block narrow")) {
            h2 { words.start }
            p(.class("note")) { words.startNote }
            problems.summary(frame.words)
            if metrics.isEmpty {
                p(.class("empty")) { words.noMetrics }
                p(.class("toolbar")) { a(.class("button"), .href(Place("/console/versions/draft"))) { frame.words.versions.edit } }
            } else {
                form(Attribute("method", "post"), .action(Place("/console/experiments", [name, "start"]))) {
                    frame.proof
                    primaryField(words)
                    Field(
                        name: "plannedUnits", title: words.plannedUnits, value: plannedUnits, hint: words.plannedUnitsHint, isRequired: false,
                        problems: problems
                    ).html
                    button(.class("primary")) { words.checkStart }
                }
            }
        }
    }

    private func primaryField(_ words: ExperimentWords) -> HTML {
        let problem = problems.first { $0.field == "primary" }?.sentence
        let options = metrics.map { name in option(.value(name), .flag("selected", name == primary)) { name }.markup }.joined()
        return div(.class("field")) {
            label(Attribute("for", "primary")) { words.primary }
            select(
                [
                    .id("primary"), .name("primary"), .optional("aria-invalid", problem == nil ? nil : "true"),
                    .optional("aria-describedby", problem == nil ? nil : "primary-problem"),
                ], HTML(markup: options))
            if let problem { p(.class("problem"), .id("primary-problem")) { problem } }
        }
    }
}
