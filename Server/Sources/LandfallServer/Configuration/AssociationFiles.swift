// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import LandfallRules
package import LandfallWire
import NIOCore
import NIOFoundationCompat

/// The files that tell iOS and Android which apps open links of the brand and universal domains. Made once from the
/// configuration.
struct AssociationFiles: Sendable {
    static let applePath = "/.well-known/apple-app-site-association"
    static let androidPath = "/.well-known/assetlinks.json"

    private let apple: ByteBuffer?
    private let android: ByteBuffer?

    init(_ app: App) {
        apple = Self.apple(app).flatMap(Self.rendered)
        android = Self.android(app).flatMap(Self.rendered)
    }

    /// - Returns: nil if the path is not such a file, or the configuration does not name the app's owner.
    func response(to path: Substring, isWhole: Bool) -> Response? {
        guard let file = path == Self.applePath ? apple : path == Self.androidPath ? android : nil else { return nil }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json", .cacheControl: "public, max-age=300", .xContentTypeOptions: "nosniff",
                .contentLength: String(file.readableBytes),
            ],
            body: isWhole ? ResponseBody(byteBuffer: file) : ResponseBody()
        )
    }

    /// Excluded paths first: the first component that matches decides.
    fileprivate static func apple(_ app: App) -> JSONValue? {
        let own = app.teamID.map { ["\($0).\(app.bundleID)"] } ?? []
        let apps = own + app.association.furtherApps
        let clips: [String: JSONValue] =
            app.association.clips.isEmpty
            ? [:] : ["appclips": .object(["apps": .array(app.association.clips.map { .string($0) })])]
        guard !apps.isEmpty else { return clips.isEmpty ? nil : .object(clips) }
        let excluded = app.association.excluded.map { pattern in
            JSONValue.object(["/": .string(pattern.rawValue), "exclude": .bool(true)])
        }
        var links: [String: JSONValue] = [
            "details": .array([
                .object([
                    "appIDs": .array(apps.map { .string($0) }),
                    "components": .array(excluded + [.object(["/": .string("*")])]),
                ])
            ])
        ]
        if !app.association.isCaseSensitive || !app.association.isPercentEncoded {
            links["defaults"] = .object([
                "caseSensitive": .bool(app.association.isCaseSensitive),
                "percentEncoded": .bool(app.association.isPercentEncoded),
            ])
        }
        return .object(["applinks": .object(links)].merging(clips) { first, _ in first })
    }

    private static func android(_ app: App) -> JSONValue? {
        guard let android = app.android, !android.certificates.isEmpty else { return nil }
        return .array([
            .object([
                "relation": .array([.string("delegate_permission/common.handle_all_urls")]),
                "target": .object([
                    "namespace": .string("android_app"), "package_name": .string(android.package),
                    "sha256_cert_fingerprints": .array(android.certificates.map { .string($0) }),
                ]),
            ])
        ])
    }

    private static func rendered(_ value: JSONValue) -> ByteBuffer? {
        (try? WireCoding.encode(value)).map { ByteBuffer(data: $0) }
    }
}

extension Snapshot {
    /// The file for iOS as brand domains serve it; nil if the configuration does not name the app's owner.
    package var appleAssociationFile: JSONValue? { AssociationFiles.apple(configuration.app) }
}
