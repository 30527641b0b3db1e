// SPDX-License-Identifier: Apache-2.0

// Languages of Europe.
extension PageText {
    var inEnglish: String {
        switch self {
        case .openApp: "Open in {app}"
        case .appStore: "Get {app} on the App Store"
        case .googlePlay: "Get {app} on Google Play"
        case .web: "Continue on the web"
        case .home: "Go to {app}"
        case .typeCode: "Type this code in the app within an hour:"
        case .copyHint: "If you install the app first, copy this and open the app: it will know where to go."
        case .copyLabel: "Your link"
        case .scan: "Or point your phone's camera here:"
        case .expiredTitle: "This link has ended"
        case .expiredText: "What it led to is over. {app} itself is still there:"
        case .earlyTitle: "This link has not started yet"
        case .earlyText: "What it leads to is still to come. {app} itself is already there:"
        case .missingTitle: "This link leads nowhere"
        case .missingText: "It may be mistyped or cut off. Ask for it again, or start here:"
        case .refusedTitle: "This link cannot be followed"
        }
    }

    var inGerman: String {
        switch self {
        case .openApp: "In {app} öffnen"
        case .appStore: "{app} im App Store laden"
        case .googlePlay: "{app} bei Google Play laden"
        case .web: "Im Web fortfahren"
        case .home: "Zu {app}"
        case .typeCode: "Gib diesen Code innerhalb einer Stunde in der App ein:"
        case .copyHint: "Wenn du die App erst installierst: Kopiere dies und öffne dann die App. Sie führt dich zum Ziel."
        case .copyLabel: "Dein Link"
        case .scan: "Oder richte die Kamera deines Handys hierauf:"
        case .expiredTitle: "Dieser Link ist abgelaufen"
        case .expiredText: "Das Ziel des Links gibt es nicht mehr. {app} selbst ist weiterhin da:"
        case .earlyTitle: "Dieser Link gilt noch nicht"
        case .earlyText: "Das Ziel des Links kommt erst noch. {app} selbst ist schon da:"
        case .missingTitle: "Dieser Link führt nirgendwohin"
        case .missingText: "Vielleicht ist er falsch geschrieben oder abgeschnitten. Frag noch einmal danach, oder beginne hier:"
        case .refusedTitle: "Dieser Link kann nicht geöffnet werden"
        }
    }

    var inFrench: String {
        switch self {
        case .openApp: "Ouvrir dans {app}"
        case .appStore: "Obtenir {app} sur l’App Store"
        case .googlePlay: "Obtenir {app} sur Google Play"
        case .web: "Continuer sur le web"
        case .home: "Aller à {app}"
        case .typeCode: "Saisissez ce code dans l’app dans l’heure qui suit :"
        case .copyHint: "Si vous installez d’abord l’app, copiez ceci puis ouvrez l’app : elle saura où aller."
        case .copyLabel: "Votre lien"
        case .scan: "Ou scannez ceci avec l’appareil photo de votre téléphone :"
        case .expiredTitle: "Ce lien a expiré"
        case .expiredText: "Le contenu de ce lien n’existe plus. {app} est toujours là :"
        case .earlyTitle: "Ce lien n’est pas encore actif"
        case .earlyText: "Le contenu de ce lien arrive bientôt. {app} est déjà là :"
        case .missingTitle: "Ce lien ne mène nulle part"
        case .missingText: "Il est peut-être mal saisi ou incomplet. Redemandez-le, ou commencez ici :"
        case .refusedTitle: "Ce lien ne peut pas être ouvert"
        }
    }

    var inSpanish: String {
        switch self {
        case .openApp: "Abrir en {app}"
        case .appStore: "Obtener {app} en el App Store"
        case .googlePlay: "Obtener {app} en Google Play"
        case .web: "Continuar en la web"
        case .home: "Ir a {app}"
        case .typeCode: "Escribe este código en la app antes de una hora:"
        case .copyHint: "Si instalas primero la app, copia esto y abre la app: sabrá adónde ir."
        case .copyLabel: "Tu enlace"
        case .scan: "O apunta aquí con la cámara de tu teléfono:"
        case .expiredTitle: "Este enlace ha caducado"
        case .expiredText: "El contenido del enlace ya no existe. {app} sigue disponible:"
        case .earlyTitle: "Este enlace aún no está activo"
        case .earlyText: "El contenido del enlace aún no ha llegado. {app} ya está disponible:"
        case .missingTitle: "Este enlace no lleva a ninguna parte"
        case .missingText: "Puede estar mal escrito o incompleto. Pídelo de nuevo o empieza aquí:"
        case .refusedTitle: "Este enlace no se puede abrir"
        }
    }

    var inPortuguese: String {
        switch self {
        case .openApp: "Abrir em {app}"
        case .appStore: "Obter {app} na App Store"
        case .googlePlay: "Obter {app} no Google Play"
        case .web: "Continuar na web"
        case .home: "Ir para {app}"
        case .typeCode: "Digite este código no app em até uma hora:"
        case .copyHint: "Se você instalar o app primeiro, copie isto e abra o app: ele saberá aonde ir."
        case .copyLabel: "Seu link"
        case .scan: "Ou aponte a câmera do seu telefone para cá:"
        case .expiredTitle: "Este link expirou"
        case .expiredText: "O conteúdo deste link não existe mais. {app} continua disponível:"
        case .earlyTitle: "Este link ainda não está ativo"
        case .earlyText: "O conteúdo deste link ainda não chegou. {app} já está disponível:"
        case .missingTitle: "Este link não leva a lugar nenhum"
        case .missingText: "Ele pode estar incorreto ou incompleto. Peça o link novamente ou comece aqui:"
        case .refusedTitle: "Este link não pode ser aberto"
        }
    }
}
