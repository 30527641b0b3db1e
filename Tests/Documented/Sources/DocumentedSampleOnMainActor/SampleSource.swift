// SPDX-License-Identifier: Apache-2.0
// The sample itself is not in this folder: the plugin SeedSample reads it from the seed when this target is built.
