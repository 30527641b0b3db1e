// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    /// The section `exports`.
    mutating func exports(_ node: ConfigurationNode) -> ExportSchedule? {
        guard let fields = fields(node, of: "'exports'", required: ["to"], optional: ["tables", "format", "hour"]) else { return nil }
        let place = fields["to"].flatMap { exportPlace($0) }
        let format = choice(fields["format"], "'format'", as: ExportFormat.self)
        let tables = fields["tables"].map { exportTables($0) } ?? ExportTable.allCases
        let hour = fields["hour"].map { whole($0, "'hour'", in: ExportSchedule.hours) } ?? ExportSchedule.usualHour
        guard let place, let tables, let hour, fields["format"] == nil || format != nil else { return nil }
        return ExportSchedule(place: place, format: format ?? .jsonl, tables: tables, hour: hour)
    }

    /// A server has no folder of its own that others would look into.
    private mutating func exportPlace(_ node: ConfigurationNode) -> ExportPlace? {
        guard let text = text(node, "'to'", longest: 1_000) else { return nil }
        switch ExportPlace(text) {
        case .bucket(let place)?: return .bucket(place)
        case .folder(let path)? where path.hasPrefix("/"): return .folder(path)
        default:
            note(node.place, "'to' cannot be '\(text.shortened)'. Write s3://BUCKET/PREFIX, or the path of a folder from the root.")
            return nil
        }
    }

    private mutating func exportTables(_ node: ConfigurationNode) -> [ExportTable]? {
        guard let elements = list(node, of: "'tables'", most: 50) else { return nil }
        guard !elements.isEmpty else {
            note(node.place, "'tables' is empty. Name some, such as first_opens, or leave 'tables' out for all.")
            return nil
        }
        var tables: [ExportTable] = []
        for element in elements {
            guard let table = choice(element, "A table of an export", as: ExportTable.self) else { continue }
            if tables.contains(table) {
                note(element.place, "'\(table.rawValue)' is here a second time. Keep one of them.")
            } else {
                tables.append(table)
            }
        }
        return tables.count == elements.count ? tables : nil
    }
}
