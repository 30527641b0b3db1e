// SPDX-License-Identifier: Apache-2.0
// An app writes one import.
@_exported public import Landfall
