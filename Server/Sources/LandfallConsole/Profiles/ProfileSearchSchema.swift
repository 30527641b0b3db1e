// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ProfileSearchSchema {
    /// The newest first opens are read without the rest.
    package static let newest = Migration(
        id: "2026-11-23 profiles: installs by their first call", olderReleases: .readAndWrite,
        ["CREATE INDEX install_by_creation ON install (app_id, created_at_ms, install_id)"])
}
