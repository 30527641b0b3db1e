// SPDX-License-Identifier: Apache-2.0
// The snippets are not in this folder: the plugin SeedSample reads them from the seed when this target is built, and puts
// them into Snippets.template.
