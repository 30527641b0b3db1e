// SPDX-License-Identifier: Apache-2.0
// The files that the console is made of besides its code. As an array in Swift their 700,000 bytes take the compiler two minutes of a core.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
} landfall_asset;

landfall_asset landfall_console_css(void);
landfall_asset landfall_console_js(void);
landfall_asset landfall_icon_svg(void);
landfall_asset landfall_ja_po(void);
landfall_asset landfall_zh_hans_po(void);
landfall_asset landfall_openapi_yaml(void);
