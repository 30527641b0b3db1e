// SPDX-License-Identifier: Apache-2.0
// The same names under the module name of the vendor's second generation.
@_exported public import Adjust
