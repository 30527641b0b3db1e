// SPDX-License-Identifier: Apache-2.0

/// The console's texts in other languages than English, as gettext files. They are a module of their own because the compiler takes
/// long to read embedded bytes: here it does so beside the other modules.
package enum ConsoleCatalogue {
    /// Tags as BCP 47 writes them, in the order in which the console offers the languages.
    package static let files: [(tag: String, file: [UInt8])] = [("ja", PackageResources.ja_po), ("zh-Hans", PackageResources.zh_Hans_po)]
}
