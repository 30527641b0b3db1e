// SPDX-License-Identifier: Apache-2.0

// Languages of East Asia.
extension PageText {
    var inJapanese: String {
        switch self {
        case .openApp: "{app} で開く"
        case .appStore: "App Store で {app} を入手"
        case .googlePlay: "Google Play で {app} を入手"
        case .web: "ウェブで続ける"
        case .home: "{app} のサイトへ"
        case .typeCode: "1 時間以内にアプリでこのコードを入力してください："
        case .copyHint: "先にアプリをインストールする場合は、これをコピーしてからアプリを開いてください。リンク先の画面が開きます。"
        case .copyLabel: "リンク"
        case .scan: "または、スマートフォンのカメラで読み取ってください："
        case .expiredTitle: "このリンクは終了しました"
        case .expiredText: "リンク先の内容は終了しました。{app} は引き続きご利用いただけます："
        case .earlyTitle: "このリンクはまだ公開されていません"
        case .earlyText: "リンク先の内容はこれから公開されます。{app} はすでにご利用いただけます："
        case .missingTitle: "リンク先が見つかりません"
        case .missingText: "入力の間違いか、リンクが途中で切れている可能性があります。もう一度リンクを受け取るか、こちらからお進みください："
        case .refusedTitle: "このリンクは開けません"
        }
    }

    var inSimplifiedChinese: String {
        switch self {
        case .openApp: "在 {app} 中打开"
        case .appStore: "在 App Store 获取 {app}"
        case .googlePlay: "在 Google Play 获取 {app}"
        case .web: "在网页中继续"
        case .home: "前往 {app}"
        case .typeCode: "请在一小时内在应用中输入此代码："
        case .copyHint: "如果要先安装应用，请复制此链接再打开应用，应用会带你前往目标页面。"
        case .copyLabel: "你的链接"
        case .scan: "或用手机摄像头扫描："
        case .expiredTitle: "此链接已结束"
        case .expiredText: "链接指向的内容已结束。{app} 仍可使用："
        case .earlyTitle: "此链接尚未开始"
        case .earlyText: "链接指向的内容尚未开放。{app} 已可使用："
        case .missingTitle: "此链接没有指向任何内容"
        case .missingText: "链接可能有误或不完整。请重新获取链接，或从这里开始："
        case .refusedTitle: "无法打开此链接"
        }
    }

    var inTraditionalChinese: String {
        switch self {
        case .openApp: "在 {app} 中開啟"
        case .appStore: "在 App Store 取得 {app}"
        case .googlePlay: "在 Google Play 取得 {app}"
        case .web: "在網頁中繼續"
        case .home: "前往 {app}"
        case .typeCode: "請在一小時內於 App 中輸入此代碼："
        case .copyHint: "如果要先安裝 App，請複製此連結再開啟 App，App 會帶你前往目標頁面。"
        case .copyLabel: "你的連結"
        case .scan: "或用手機相機掃描："
        case .expiredTitle: "此連結已結束"
        case .expiredText: "連結指向的內容已結束。{app} 仍可使用："
        case .earlyTitle: "此連結尚未開始"
        case .earlyText: "連結指向的內容尚未開放。{app} 已可使用："
        case .missingTitle: "此連結沒有指向任何內容"
        case .missingText: "連結可能有誤或不完整。請重新取得連結，或從這裡開始："
        case .refusedTitle: "無法開啟此連結"
        }
    }

    var inKorean: String {
        switch self {
        case .openApp: "{app}에서 열기"
        case .appStore: "App Store에서 {app} 받기"
        case .googlePlay: "Google Play에서 {app} 받기"
        case .web: "웹에서 계속하기"
        case .home: "{app} 사이트로 이동"
        case .typeCode: "1시간 안에 앱에서 이 코드를 입력하세요:"
        case .copyHint: "앱을 먼저 설치하려면 이 링크를 복사한 다음 앱을 여세요. 앱이 해당 화면으로 안내합니다."
        case .copyLabel: "내 링크"
        case .scan: "또는 휴대폰 카메라로 스캔하세요:"
        case .expiredTitle: "종료된 링크입니다"
        case .expiredText: "링크의 내용이 종료되었습니다. 앱은 계속 이용할 수 있습니다: {app}"
        case .earlyTitle: "아직 시작되지 않은 링크입니다"
        case .earlyText: "링크의 내용은 곧 공개됩니다. 앱은 지금 이용할 수 있습니다: {app}"
        case .missingTitle: "연결된 내용이 없는 링크입니다"
        case .missingText: "링크가 잘못 입력되었거나 일부가 잘렸을 수 있습니다. 링크를 다시 받거나 여기에서 시작하세요:"
        case .refusedTitle: "이 링크를 열 수 없습니다"
        }
    }
}
