// SPDX-License-Identifier: Apache-2.0

/// Where the files of an export go.
package enum ExportPlace: Hashable, Sendable, CustomStringConvertible {
    /// A path.
    case folder(String)
    case bucket(S3Place)

    /// Nil for an empty text, and for an address other than `s3://BUCKET/PREFIX`.
    package init?(_ text: String) {
        if let place = S3Place(text) {
            self = .bucket(place)
        } else if text.isEmpty || text.contains("://") || text.contains("\0") {
            return nil
        } else {
            self = .folder(text)
        }
    }

    package var description: String {
        switch self {
        case .folder(let path): path
        case .bucket(let place): place.description
        }
    }
}
