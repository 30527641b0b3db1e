// SPDX-License-Identifier: Apache-2.0

// The languages of the console. Remote config has the words of every other one.
extension PaywallWords {
    static let builtIn: [String: [PaywallWord: String]] = ["en": english, "ja": japanese, "zh-hans": chinese]

    static let english: [PaywallWord: String] = [
        .buy: "Continue", .trial: "Start free trial", .restore: "Restore purchases", .close: "Close", .retry: "Try again", .done: "Continue",
        .terms: "Terms of use", .privacy: "Privacy policy", .loading: "Loading prices", .buying: "Purchasing", .restoring: "Restoring purchases",
        .loadingFailed: "The prices could not be loaded.", .noProducts: "Nothing can be bought at the moment.",
        .pending: "Your purchase waits for approval. You get access as soon as it is approved.",
        .purchased: "Thank you. Your purchase is complete.", .purchaseFailed: "The purchase was not completed.",
        .restored: "Your purchases are restored.", .nothingRestored: "There are no purchases to restore.",
        .restoreFailed: "Your purchases could not be restored.", .renews: "Renews automatically until you cancel.",
        .day: "1 day", .week: "1 week", .month: "1 month", .year: "1 year",
        .days: "{count} days", .weeks: "{count} weeks", .months: "{count} months", .years: "{count} years",
        .perDay: "{price} per day", .perWeek: "{price} per week", .perMonth: "{price} per month", .perYear: "{price} per year",
        .perDays: "{price} every {count} days", .perWeeks: "{price} every {count} weeks", .perMonths: "{price} every {count} months",
        .perYears: "{price} every {count} years",
        .freeTrial: "{period} free, then {price}", .payUpFront: "{offer} for {period}, then {price}",
        .payAsYouGo: "{offer} for {period}, then {price}",
    ]

    static let japanese: [PaywallWord: String] = [
        .buy: "続ける", .trial: "無料トライアルを開始", .restore: "購入を復元", .close: "閉じる", .retry: "再試行", .done: "続ける",
        .terms: "利用規約", .privacy: "プライバシーポリシー", .loading: "価格を読み込んでいます", .buying: "購入しています", .restoring: "購入を復元しています",
        .loadingFailed: "価格を読み込めませんでした。", .noProducts: "現在購入できるものがありません。",
        .pending: "購入は承認を待っています。承認されるとすぐに利用できます。", .purchased: "ありがとうございます。購入が完了しました。",
        .purchaseFailed: "購入は完了しませんでした。", .restored: "購入を復元しました。", .nothingRestored: "復元できる購入はありません。",
        .restoreFailed: "購入を復元できませんでした。", .renews: "解約するまで自動的に更新されます。",
        .day: "1日", .week: "1週間", .month: "1か月", .year: "1年", .days: "{count}日", .weeks: "{count}週間", .months: "{count}か月", .years: "{count}年",
        .perDay: "{price}/日", .perWeek: "{price}/週", .perMonth: "{price}/月", .perYear: "{price}/年",
        .perDays: "{price}/{count}日", .perWeeks: "{price}/{count}週間", .perMonths: "{price}/{count}か月", .perYears: "{price}/{count}年",
        .freeTrial: "{period}無料、その後{price}", .payUpFront: "最初の{period}は{offer}、その後{price}", .payAsYouGo: "最初の{period}は{offer}、その後{price}",
    ]

    static let chinese: [PaywallWord: String] = [
        .buy: "继续", .trial: "开始免费试用", .restore: "恢复购买", .close: "关闭", .retry: "重试", .done: "继续",
        .terms: "使用条款", .privacy: "隐私政策", .loading: "正在加载价格", .buying: "正在购买", .restoring: "正在恢复购买",
        .loadingFailed: "无法加载价格。", .noProducts: "目前没有可购买的内容。", .pending: "您的购买正在等待批准。批准后即可使用。",
        .purchased: "谢谢。购买已完成。", .purchaseFailed: "购买未完成。", .restored: "已恢复您的购买。", .nothingRestored: "没有可恢复的购买。",
        .restoreFailed: "无法恢复您的购买。", .renews: "自动续订，直到您取消。",
        .day: "1 天", .week: "1 周", .month: "1 个月", .year: "1 年",
        .days: "{count} 天", .weeks: "{count} 周", .months: "{count} 个月", .years: "{count} 年",
        .perDay: "每天 {price}", .perWeek: "每周 {price}", .perMonth: "每月 {price}", .perYear: "每年 {price}",
        .perDays: "每 {count} 天 {price}", .perWeeks: "每 {count} 周 {price}", .perMonths: "每 {count} 个月 {price}", .perYears: "每 {count} 年 {price}",
        .freeTrial: "免费 {period}，之后{price}", .payUpFront: "前 {period} {offer}，之后{price}", .payAsYouGo: "前 {period} {offer}，之后{price}",
    ]
}
