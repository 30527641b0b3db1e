// SPDX-License-Identifier: Apache-2.0
// The wire's nouns (Attribution, PlacementID, …) are the SDK's nouns: an app writes one import.
@_exported public import LandfallWire
