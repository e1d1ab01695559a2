/** Dangers behind ordinary names: a step that orders, a filter that asks for codes, an address that carries data away. */
import { say } from '../wording'
import {
  bindsYou,
  codes,
  type Danger,
  danger,
  destroys,
  foreignCode,
  high,
  opensToOthers,
  passesOn,
  passesPaperOn,
  runsBesides,
  weakensProtection,
} from './danger'

const moves = () => say('moves_money')
const unlessNothing = '=(?!(?:false|no|none|null|never|0|)$)'
/** Where people keep what others wrote to them, and what they must not lose. */
const messages =
  /\b(?:sms|messages?|notifications?|chats?|whatsapp|nachrichten|messaggi|mensajes|mensagens|wiadomosci|berichten)\b/
const stores =
  /\b(?:sms|messages?|notifications?|chats?|notes?|notebooks?|mails?|emails?|inbox|mailbox|files?|documents?|docs|drive|photos?|images?|screenshots?|history|memos?|notizen|notiz|notas?|appunti|notatk\w*|fotos?|zdjec\w*|dateien|archivos|fichiers)\b/

export const dangersInPlainWords: Danger[] = [
  // Secrets that somebody looks for
  danger('secret', high, codes, {
    action: messages,
    lines:
      /=[^\n]*(?:\b(?:codes?|kody?|kodu|pins?|codigos?|codice|codici|koodi|kode|otps?)\b|\\d\{|\[0-9\][{+]|digits?\b|код|验证码|認証|인증|コード|कोड|ओटीपी)|=[^\n]*\b(?:authenticator|okta|duo mobile|authy)\b/m,
    when: ({ isReading }) => isReading,
  }),
  danger('secret', high, codes, {
    action: stores,
    lines:
      /=[^\n]*(?:\b(?:atm|bank|card|karten?|sim|safe|alarm|door) pins?\b|\bpin(?:s|-code| codes?)?\b(?! ?board)|\b(?:twelve|twenty[- ]?four|12|24|dodici|ventiquattro|zwolf|doce|douze|doze|dwanascie|twaalf|vierundzwanzig)[- ](?:words?|parole|worter|palabras|mots|palavras|slow|woorden)\b|\b(?:portafoglio|portefeuille|cartera|carteira|portfel\w*|wallet|monedero)\b[^\n]*\b(?:recuper\w*|recover\w*|parole|frase|phrase|odzysk\w*|herstel\w*|semilla|mots)|\b(?:recuper\w*|recovery|odzysk\w*) (?:phrase|words?|frase|parole|wallet|portafoglio)|\bfrase (?:semilla|semente|seme)|\bfraza odzyskiwania|\b(?:credit|debit|bank) ?cards?\b(?! statement)|\bkreditkarten?\b|\bcartes? bancaires?\b|\btarjetas? de (?:credito|debito)\b|\bcart[ae] di credito\b|\bcartao de credito\b|\bkart\w* (?:platnicz|płatnicz|kredytow)\w*|\bhasl[aeo]\w*\b|\bparola d'ordine\b|парол|पासवर्ड|비밀번호|パスワード|暗証番号|密码|密碼|كلمة|סיסמ|รหัส|mat ?khau|\bsifre)/m,
    when: ({ isReading, words }) => isReading || /^print /.test(words),
  }),
  danger('secret', high, codes, {
    lines:
      /=(?:[a-z]+_)*(?:aadhaar\w*|pesel|netbanking\w*|bank_pin|card_pin|atm_pin|cvv|cvc|master_password|db_\w*password|\w+_master_password)$|\bsession cookies?\b|\bbegin (?:rsa |ec |openssh |dsa |pgp )?private key|=secrets?(?:\/[\w.-]+)?$|^(?:reveal|show|display)_?(?:key|psk|pin|passw\w*|code)=(?:true|yes|1)$|=[^\n]*with_?(?:psk|key|password)$|^otp\w*=(?!(?:false|none|)$)|\b(?:kod|code|codigo|codice)\b[^\n]{0,20}\b(?:sms|text message|anruf)/m,
  }),
  danger('secret', high, codes, {
    action: /^(?:screenshot|capture|snapshot|record|window screenshot|screen|print|ocr|view|read) /,
    lines:
      /=[^\n]*\b(?:1password|bitwarden|lastpass|keepass\w*|authenticator|unlocked vault|notfallcodes?|backup ?codes?)(?:\b|_)/m,
  }),
  danger('secret', high, codes, { action: /\b(?:p[4a@][s5$]{2}w[0o]rds?|passw0rds?|s3crets?|t0kens?)\b/ }),
  danger('secret', high, codes, {
    action: /\bgit config|\bconfig git\b/,
    lines: /=(?:credential\.|core\.(?:sshcommand|hookspath|askpass|fsmonitor)|url\.|alias\.|filter\.)/m,
  }),
  // Passes something on
  danger('outward', high, passesOn, {
    lines:
      /^[^\n=]*[^\n -~][^\n=]*=[^\n]*[^\s@]@[^\s@]+\.[a-z]|=[^\n]*\b(?:forward|send|inoltr|envi|reenvi|weiterleit|schick|przes|przekaz|transf|doorstu|encaminh|rout)\w*\b[^\n]*[^\s@]@[^\s@]+\.[a-z]|^(?:[^=\n]*_)?(?:then|after|next|danach|dann|poi|puis|luego|depois|daarna|potem)=[^\n]*[^\s@]@[^\s@]+\.[a-z]|^(?:rcpt|rcpt_to|mail_?to)=[^\n]*@/m,
    when: ({ isReading }) => isReading,
  }),
  danger('outward', high, passesOn, {
    lines:
      /^(?:[^=\n]*_)?(?:type|kind|transport|sink|via)=(?:webhook|https?|smtp|s?ftp|telegram)\n(?:[^\n]*\n)*?(?:[^=\n]*_)?(?:url|uri|endpoint|to|href)=[a-z]+:\/\/(?!localhost|127\.)/m,
    when: ({ isReading }) => isReading,
  }),
  danger('outward', high, passesOn, {
    lines:
      /[?&][\w.-]{1,20}=(?:[^\s&]*(?:base64|btoa|encode\w*)\(|[^\s&]*\b(?:all_)?(?:contacts?|messages|inbox|cookies?|passwords?|clipboard|photos|notes)\b[^\s&]*\)|[^\s&]*(?:\{\{|\$\{|\$\(|%7b%7b|<[a-z_]+>))/m,
  }),
  danger('outward', high, passesOn, {
    action: /^print\b/,
    lines:
      /^(?:[^=\n]*_)?(?:printer|queue|device|url|server)=[a-z]+:\/\/(?!localhost|127\.|192\.168\.|10\.)/m,
  }),
  danger('outward', high, passesPaperOn, {
    action: /^(?:share|send|post|publish|upload) /,
    lines: /=[^\n]*(?:bank[-_ ]?details|bankverbindung|passport|payslip|lohnabrechnung)|=contracts?\/$/m,
  }),
  // Opens
  danger('control', high, opensToOthers, {
    lines:
      /^(?:[^=\n]*_)?(?:principal|member|entity)=all_?users$|=anyone_with_\w*(?:edit|write)\w*$|^(?:[^=\n]*_)?visibility=(?:anyone|public)\n(?:[^\n]*\n)*?create=true$|[?&](?:action|do|op)=(?:add|set|enable|create)\w*(?:forward|filter|delegat|recover|phone|device|admin)/m,
  }),
  danger('control', high, opensToOthers, {
    action: /\b(?:garage|gates?|portao|portone|portail|portal|cancello|brama|hek|tor|barrier)\b/,
    lines: /^(?:[^=\n]*_)?(?:position|toggle|state|open|level)=(?:100|true|open|opened|auf|1|up)$/m,
    when: ({ words }) => !/schedule|hours|number|airport|flight/.test(words),
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:abrir|abre|aprire|apri|ouvrir|ouvre|otworz|openen|offnen|offne|open|unlock|trigger|buzz|pulse|toggle) (?:.* )?(?:portao|portones?|portail|cancello|brama|bramy|furtka|hek|poort|barrier|entrance|garage|door|lock|cadeado|serratura|zamek)$/,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:add|set|update|create|change|edit|make|issue|new|extend) (?:.* )?(?:guest|door|lock|entry|access|gate|keypad|visitor|key ?box) (?:codes?|pins?)$/,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:trigger|run|start|activate|execute|fire) (?:.* )?(?:automations?|scenes?|routines?|scripts?)$/,
    lines: /=[^\n]*(?:unlock|door_?lock|open_?(?:door|gate|garage)|도어락|열기|entsperr|apri_|abrir|disarm)/m,
  }),
  danger('control', high, opensToOthers, {
    action: /^(?:approve|confirm|accept|allow) (?:.* )?(?:prompts?|push|sign ?ins?|logins?|mfa|devices?)$/,
  }),
  danger('control', high, opensToOthers, {
    action: /^(?:pair|link) (?:.* )?(?:devices?|browser|session|desktop)$/,
    lines: /\b(?:whatsapp|telegram|signal|viber|wechat|line|qr|kakao\w*|messenger)\b/m,
  }),
  danger('control', high, opensToOthers, {
    action: /^(?:change|update|replace|set) (?:.* )?(?:e ?mail|phone|mobile)(?: (?:address|number))?$/,
    lines: /^(?:service|provider|site|account|app|bank)=./m,
  }),
  danger('control', high, opensToOthers, {
    action: /^(?:install|add|enrol|enroll) (?:.* )?(?:profile|certificate|root|mdm)$/,
    lines: /mdm|trust_?root|root_?ca|^url=|enroll/m,
  }),
  danger('control', high, opensToOthers, {
    lines:
      /^(?:as_)?role=arn:[^\n]*(?:admin|access_?role|accessrole|poweruser)|^groups?=[^\n]*\badmin(?:s|istrators?)?$|^(?:[^=\n]*_)?trusted_(?:number|phone|device|email)=\S|^port_?out=(?!(?:false|no|none)$)|^join=remote[-_ ]?desktop|^control=full$|^upnp=\{|^port_?map\w*=/m,
  }),
  // Switches off what protects
  danger('force', high, weakensProtection, {
    lines:
      /^real_?time\w*=(?:off|nie|false|no|non|nein|0|aus|disabled)$|^exclusions?=(?:[a-z]:\\*|\/|\*)$|^is_logging=(?:false|0|no)$|^(?:[^=\n]*_)?privacy_shutter=|^recording=(?:stop\w*|off|false|paused?)$|^(?:mute|snooze|silence)_(?:days|weeks|months|forever|hours)=\d{2,}$|^(?:screen_limits?|content_filter|kid_controls?|parental\w*)=(?:lift\w*|none|off|false|unlimited)$/m,
  }),
  danger('force', high, weakensProtection, {
    action:
      /^(?:mute|snooze|disable|pause|silence|stop|unsubscribe|hide|turn off|switch off) (?:.* )?(?:bank|fraud|security|login|payment|transaction|card|account) (?:alerts?|notifications?|warnings?|emails?)$/,
  }),
  // Pays or binds
  danger('money', high, moves, {
    lines: new RegExp(
      `^(?:[^=\\n]*_)?(?:bonifico|przelew|virement|uberweisung|ueberweisung|transferencia|overboeking|upi_\\w+|sweep(?:_to|_all)?|settle_now|open_position|contract_best|place_bet|buy_now|sell_now|pay_now|pix|bizum|zelle)${unlessNothing}|^pay=[^\\n]*\\d+k?$|^reverse=true\\n(?:[^\\n]*\\n)*?[^=\\n]*card=|^(?:max_?(?:cost|price|spend)|spend_?limit|budget_cap)=(?:none|unlimited|infinite)$|=(?:place[-_ ]order|order[-_ ]now|buy[-_ ]now|checkout[-_ ]now|submit[-_ ]order|pay[-_ ]now)$`,
      'm',
    ),
    when: ({ words }) => !/^(?:pay|transfer|send|buy|order|purchase) /.test(words),
  }),
  danger('money', high, moves, {
    action: /^(?:buy|order|purchase|refill|top ?up|reload|load|get|send) (?:.* )?gift ?cards?$/,
    lines: /^(?:count|quantity|qty|number|pieces)=(?:[3-9]|\d{2,})$/m,
  }),
  danger('irreversible', high, bindsYou, {
    lines:
      /^sign_?as=\S|^accept_?offer=(?:true|yes|1|immediately)$|^(?:cast|ballot|vote)=(?:against|for|yes|no|yea|nay|abstain)$/m,
  }),
  // Destroys
  danger('irreversible', high, destroys, {
    lines:
      /^(?:retain|retention|keep|versions_kept)=0$|=\/dev\/null$|=keep_?(?:none|nothing)$|^(?:[^=\n]*_)?(?:dest|destination|to|target|move_to)=(?:shred|void|nowhere|incinerator)|=(?:close|delete|cancel|terminate|erase)[-_ ]account|^then=[^\n]*(?:мусор|удал|मिटा|삭제|削除|删除)|^[^\n=]*=[^\n]*(?:सब मिटा|모두 삭제|全部删除|удалить вс)/m,
  }),
  danger('irreversible', high, destroys, {
    action:
      /^(?:vapori[sz]e|euthani[sz]e|exterminate|atomi[sz]e|eviscerate|extinguish|disintegrate|smash|trash|torch|axe|bury) /,
    when: ({ words }) => !/ (?:candle|fire|fireplace)$/.test(words),
  }),
  danger('irreversible', high, destroys, {
    action:
      /^(?:format|formatter|formatear|formattare|formater|formatieren|sformatuj) (?:.* )?(?:drive|disk|disc|usb|volume|partition|stick|ssd|hdd|card|disco|disque|festplatte|dysk\w*)$/,
  }),
  // Runs something, or does more
  danger('command', high, runsBesides, {
    lines: /^(?:add|upsert|insert|put|create_new|set_value|patch)=\{/m,
    when: ({ isReading, words }) => isReading && !/^label |^format |^draft /.test(words),
  }),
  danger('command', high, foreignCode, {
    lines:
      /__globals__|__init__|__subclasses__|os\.(?:popen|system)\(|subprocess\.|child_process|\b(?:post|pre)install\b[^\n]*(?:https?:|fetch|curl|wget|node -e)|\$\{?(?:ci_job_token|github_token|npm_token|gitlab_token)\b|process\.env\.\w*(?:token|key|secret)|--output[= ]\S*\/\.[a-z]/m,
  }),
]
