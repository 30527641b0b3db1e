// SPDX-License-Identifier: Apache-2.0
// The nouns that phone and server share: an app needs only one import for these. The rest of the wire is internal.
@_exported public import struct LandfallWire.Assignment
@_exported public import enum LandfallWire.AttributeValue
@_exported public import struct LandfallWire.AttributionSource
@_exported public import struct LandfallWire.AudienceID
@_exported public import struct LandfallWire.Destination
@_exported public import struct LandfallWire.ErrorCode
@_exported public import struct LandfallWire.ExperimentID
@_exported public import struct LandfallWire.InstallID
@_exported public import enum LandfallWire.JSONValue
@_exported public import struct LandfallWire.LinkDomains
@_exported public import struct LandfallWire.LinkQueryItem
@_exported public import struct LandfallWire.LinkStatus
@_exported public import struct LandfallWire.PathPattern
@_exported public import struct LandfallWire.PaywallColor
@_exported public import struct LandfallWire.PaywallColors
@_exported public import struct LandfallWire.PaywallContent
@_exported public import struct LandfallWire.PaywallID
@_exported public import struct LandfallWire.PaywallProgress
@_exported public import struct LandfallWire.PlacementID
@_exported public import struct LandfallWire.ProfileID
@_exported public import struct LandfallWire.ReadyPaywall
@_exported public import struct LandfallWire.StoreProduct
@_exported public import struct LandfallWire.UnavailableReason
@_exported public import struct LandfallWire.VariationID
@_exported public import struct LandfallWire.VariationName
