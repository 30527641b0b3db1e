// SPDX-License-Identifier: Apache-2.0
#include "CAssets.h"

// Clang knows C23's #embed in every version of C, and has the file among what this one depends on.
#pragma clang diagnostic ignored "-Wc23-extensions"

landfall_asset landfall_console_css(void) {
    static const uint8_t bytes[] = {
#embed "../LandfallConsole/Assets/console.css"
    };
    return (landfall_asset){bytes, sizeof bytes};
}

landfall_asset landfall_console_js(void) {
    static const uint8_t bytes[] = {
#embed "../LandfallConsole/Assets/console.js"
    };
    return (landfall_asset){bytes, sizeof bytes};
}

landfall_asset landfall_icon_svg(void) {
    static const uint8_t bytes[] = {
#embed "../LandfallConsole/Assets/icon.svg"
    };
    return (landfall_asset){bytes, sizeof bytes};
}

landfall_asset landfall_ja_po(void) {
    static const uint8_t bytes[] = {
#embed "../LandfallConsole/Assets/ja.po"
    };
    return (landfall_asset){bytes, sizeof bytes};
}

landfall_asset landfall_zh_hans_po(void) {
    static const uint8_t bytes[] = {
#embed "../LandfallConsole/Assets/zh-Hans.po"
    };
    return (landfall_asset){bytes, sizeof bytes};
}

landfall_asset landfall_openapi_yaml(void) {
    static const uint8_t bytes[] = {
#embed "../../../docs/openapi.yaml"
    };
    return (landfall_asset){bytes, sizeof bytes};
}
