// SPDX-License-Identifier: Apache-2.0
/// The release of this server; every answer carries it in `Landfall-Version`.
package enum LandfallVersion {
    package static let current = "0.1.0"
}
