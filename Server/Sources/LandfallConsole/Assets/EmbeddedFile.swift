// SPDX-License-Identifier: Apache-2.0
import CAssets

/// The files of `Assets`, and `docs/openapi.yaml`, as they are in the program.
enum EmbeddedFile {
    static var style: [UInt8] { bytes(landfall_console_css()) }
    static var script: [UInt8] { bytes(landfall_console_js()) }
    static var icon: [UInt8] { bytes(landfall_icon_svg()) }

    /// The console's texts in other languages than English, as gettext files. Tags are as BCP 47 writes them, in the order in which the
    /// console offers the languages.
    static var catalogues: [(tag: String, file: [UInt8])] { [("ja", bytes(landfall_ja_po())), ("zh-Hans", bytes(landfall_zh_hans_po()))] }

    /// The API as this release answers it.
    static var apiDescription: [UInt8] { bytes(landfall_openapi_yaml()) }

    private static func bytes(_ asset: landfall_asset) -> [UInt8] { Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count)) }
}
