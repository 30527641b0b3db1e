// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A link as a line of a table that ``LinkImport`` reads back without a change. Previews by locale, and `when`, are not in it.
package enum LinkLine {
    /// The cells in the order of ``LinkImport/columns``.
    package static func cells(_ link: NewLink, url: String) -> [String] {
        LinkColumn.allCases.map { column in
            switch column {
            case .url: SpreadsheetCell.text(url)
            case .to: SpreadsheetCell.text(link.to)
            case .campaign: SpreadsheetCell.text(link.campaign)
            case .adGroup: SpreadsheetCell.text(link.adGroup)
            case .creative: SpreadsheetCell.text(link.creative)
            case .label: SpreadsheetCell.text(link.label)
            case .channel: SpreadsheetCell.text(link.channel)
            case .expiresAtMilliseconds: link.expiresAtMilliseconds.map { "\($0)" } ?? ""
            case .ios: SpreadsheetCell.text(link.ios?.joined(separator: " "))
            case .android: SpreadsheetCell.text(link.android?.joined(separator: " "))
            case .desktop: SpreadsheetCell.text(link.desktop?.joined(separator: " "))
            case .title: SpreadsheetCell.text(link.preview?.title)
            case .description: SpreadsheetCell.text(link.preview?.description)
            case .image: SpreadsheetCell.text(link.preview?.image)
            case .pasteboard: link.pasteboard == true ? "true" : ""
            case .code: link.code == true ? "true" : ""
            case .tags: SpreadsheetCell.text(link.tags?.joined(separator: ","))
            case .folder: SpreadsheetCell.text(link.folder)
            case .startsAtMilliseconds: link.startsAtMilliseconds.map { "\($0)" } ?? ""
            case .ppid: SpreadsheetCell.text(link.ppid)
            case .pt: SpreadsheetCell.text(link.pt)
            case .ct: SpreadsheetCell.text(link.ct)
            }
        }
    }
}
