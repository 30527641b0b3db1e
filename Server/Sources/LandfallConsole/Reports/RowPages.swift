// SPDX-License-Identifier: Apache-2.0

/// The rows of a table on pages of equal length.
struct RowPages: Hashable, Sendable {
    /// Of all pages.
    let count: Int
    /// From 1 on.
    let page: Int
    let last: Int

    /// - Parameter page: as it is asked for; behind the last one it is the last.
    init(_ count: Int, page: Int) {
        self.count = count
        last = max(1, (count + ReportQuery.pageLength - 1) / ReportQuery.pageLength)
        self.page = min(page, last)
    }

    /// The rows before those of the page.
    private var before: Int { (page - 1) * ReportQuery.pageLength }

    /// - Parameter rows: all of them, or as many of the first ones as end with this page.
    func shown<Row>(of rows: [Row]) -> ArraySlice<Row> { rows.dropFirst(before).prefix(ReportQuery.pageLength) }

    /// - Parameter place: of a page.
    /// - Returns: nothing if there is one page.
    func html(_ words: Words, place: (Int) -> Place) -> HTML? {
        guard last > 1 else { return nil }
        return nav(.class("head"), .label(words.rowPages)) {
            p(.class("quiet")) { words.rows(before + 1, min(count, before + ReportQuery.pageLength), of: count) }
            div(.class("choices")) {
                if page > 1 { a(.href(place(page - 1))) { words.previousRows } }
                if page < last { a(.href(place(page + 1))) { words.nextRows } }
            }
        }
    }
}
