// SPDX-License-Identifier: Apache-2.0

/// `docs/openapi.yaml`, which a link in the assets leads to: the console shows what this release answers.
package enum APIDescription {
    package static let file: [UInt8] = PackageResources.openapi_yaml
}
