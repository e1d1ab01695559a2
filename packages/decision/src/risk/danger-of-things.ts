/** Dangers that lie in the thing itself, whatever the verb is called: locks, detectors, firewalls, limits, signatures, stores of passwords. */

import { say } from '../wording'
import {
  bindsYou,
  changesPayee,
  codes,
  type Danger,
  danger,
  destroys,
  foreignCode,
  high,
  opensToOthers,
  passesOn,
  runsBesides,
  weakensProtection,
} from './danger'

const looking =
  '(?:check|read|get|list|show|search|find|view|watch|monitor|status|test|describe|compare|count|explain|log|track|query|analy[sz]e|draft|plan|translate|summari[sz]e)'
const off =
  '(?:off|false|no|0|never|none|skip|jamais|nie|nunca|mai|disabled?|bypass|stumm|muted?|silent|permanent|aus|paused?)'

export const dangersOfThings: Danger[] = [
  // Locks, doors and accounts
  danger('control', high, opensToOthers, {
    action: new RegExp(
      `^(?!(?:${looking}|lock|close|arm|book|clean|paint|buy|order|install|repair|measure)\\b)[a-z]+ (?:.* )?(?:locks?|doors?|gates?|intercoms?|buzzers?|haustur|tur|tor|garagentor|puerta|portail|porte|serrure|deurslot)\\b`,
    ),
    when: ({ words }) =>
      !/\b(?:number|size|code review|door mat|issue|file|branch|thread|lockfile)\b/.test(words),
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:replace|swap|port|activate|transfer|convert|move) (?:.* )?e?sims?\b|\bdeploy keys?$|^(?:entrust|empower|hand over|deputi[sz]e|appoint) /,
    when: ({ isReading }) => !isReading,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:edit|update|set|add|change|create|delete|point|switch|replace) (?:.* )?(?:dns|nameservers?|mx)\b/,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:add|create|register|welcome|invite) (?:.* )?(?:users?|members?|visitors?|guests?|collaborators?)$|^(?:welcome|register) /,
    lines:
      /^(?:[^=\n]*_)?(?:permissions?|roles?|rights|pin|code|(?:nuki|door|access|entry|key)_?code)=(?!(?:viewer|reader|read|none|false|guest)?$)/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('control', high, opensToOthers, {
    action:
      /\b(?:repos?|repository|repositories|calendars?|albums?|drives?|folders?|buckets?|projects?|galler(?:y|ies)|files?|sync)\b/,
    lines:
      /^(?:is_)?private=(?:false|no|0)$|^(?:[^=\n]*_)?(?:public|public_link|link_access|anyone)=(?:true|yes|1|public\w*)$/m,
  }),
  danger('control', high, opensToOthers, {
    action: /^(?:approve|accept|confirm|allow) (?:.* )?(?:pending|all|everything|any|requests|logins?)\b/,
  }),
  danger('control', high, opensToOthers, {
    lines: /\/var\/run\/docker\.sock|=\/:\/|^(?:source|src|host_path)=\/$/m,
  }),
  // What protects
  danger('force', high, weakensProtection, {
    action: new RegExp(
      `^(?!(?:${looking}|install|buy|order|arm)\\b)[a-z]+ (?:.* )?(?:smoke|co|gas|leak|fall|motion|fire|water leak) ?(?:detectors?|alarms?|sensors?)\\b|^(?!(?:${looking}|update|enable|start|scan|run|install|buy)\\b)[a-z]+ (?:.* )?(?:firewall|antivirus|edr|defender|waf)\\b`,
    ),
  }),
  danger('force', high, weakensProtection, {
    action: /\bparental|\bkinderschutz|\bfamily link|\bcontent filter/,
    lines: new RegExp(`=(?:${off}|unrestricted|all)$`, 'm'),
    when: ({ isReading }) => !isReading,
  }),
  danger('force', high, weakensProtection, {
    lines: new RegExp(
      `^(?:[^=\\n]*_)?(?:confirmations?|ask_before|mfa|2fa|two_factor|kill_?switch|verify_signature|branch_protection|enforce|enforcement|legionella|emergency_calls|safe_?search|filter|blocking|protection)=(?:${off})?$`,
      'm',
    ),
    when: ({ words }) => !/^(?:list|get|show|search|find|read|query|filter|count|export)\b/.test(words),
  }),
  danger('force', high, weakensProtection, {
    action: /\b(?:logs?|audit|history|logging|telemetry|recording)\b/,
    lines: new RegExp(`^(?:level|mode|state|enabled)=${off}$`, 'm'),
    when: ({ isReading }) => !isReading,
  }),
  danger('force', high, weakensProtection, {
    action:
      /^(?:raise|increase|lift|set|change|extend|remove|update|adjust) (?:.* )?(?:limits?|caps?|ceiling|overdraft)\b/,
    lines: /=[\d.,' ]*\d{4,}$|=(?:none|unlimited|max|infinite|off)$/m,
    when: ({ words }) => !/rate limit|limit (?:order|screen|time)|screen/.test(words),
  }),
  danger('force', high, weakensProtection, {
    action:
      /^(?:disable|pause|stop|hide|set|change|configure) (?:.* )?(?:privacy|camera|cam|recording)\b|^privacy (?:camera|cam)/,
    lines: new RegExp(`=(?:${off})$`, 'm'),
  }),
  danger('force', high, weakensProtection, {
    action:
      /^(?:off|disarm|disable|deactivate|mute|silence|stop|kill|pause) (?:.* )?(?:alarms?|cameras?|cctv|detectors?|firewall|sensors?|siren)\b|\b(?:alarms?|cameras?|cctv|detectors?|firewall) (?:off|disarm|disable|deactivate)$/,
    when: ({ words }) =>
      !/alarm clock|^(?:stop|off) alarm$/.test(words) || /^alarm off$|^off alarm$/.test(words),
  }),
  // Money
  danger('money', high, () => say('moves_money'), {
    lines:
      /^(?:[^=\n]*_)?(?:amount|sum|total|value|betrag|montant|importe|importo|valor|bedrag)=[^\n]*\b(?:hundred|thousand|million|hundert|tausend|cents|mille|mil|ciento|cento|honderd|duizend|solde|restant|remaining|balance|konto|alles|everything)\b/m,
    when: ({ words }) => !/^(?:search|find|list|get|show|translate|summari[sz]e|draft)\b/.test(words),
  }),
  danger('money', high, () => say('moves_money'), {
    lines:
      /^(?:[^=\n]*_)?(?:qty|quantity|factor|percent|fare_difference|price_difference|difference|surcharge)=(?:max|all|any|accept any|unlimited|alles|tout|todo|tutto|infinite|\*)$/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('money', high, () => say('moves_money'), {
    action: /^redeem (?:.* )?(?:points|miles)$/,
    lines: /^(?:[^=\n]*_)?(?:points|miles|amount)=\d{4,}$/m,
  }),
  danger('money', high, () => say('moves_money'), {
    action:
      /^sign (?:.* )?(?:wallet|crypto|eth|chain|transaction|typed data|permit)\b|\b(?:wallet|crypto) (?:.* )?sign\b/,
  }),
  danger('money', high, changesPayee, {
    lines: /^(?:[^=\n]*_)?(?:destination|to|ziel|dest|target|payout|sweep\w*)=[a-z]{2}\d{2}[a-z0-9 ]{8,32}$/m,
    when: ({ words }) => !/^(?:pay|transfer|send|wire|refund|remit)\b/.test(words),
  }),
  danger('money', high, changesPayee, {
    lines:
      /^(?:[^=\n]*_)?iban=[^\n]+\n(?:[^\n]*\n)*?(?:[^=\n]*_)?(?:replace|set|make)_default=(?:true|yes|1)$/m,
  }),
  danger('control', high, opensToOthers, {
    lines: /^transfer_\w*(?:name|owner|holder|title)=./m,
    when: ({ isReading }) => !isReading,
  }),
  // Binds, destroys, concerns health
  danger('irreversible', high, bindsYou, {
    action:
      /^(?:e ?sign|sign|countersign|accept|agree|unterschreib\w*|unterzeichn\w*|signer|firmar|assinar)\b/,
    lines:
      /\b(?:burgschaft|buergschaft|procuration|vollmacht|power of attorney|guarantee|guaranty|cautionnement|poder notarial|kredit|loan|mortgage|hypothek)/m,
  }),
  danger('irreversible', high, destroys, {
    lines:
      /^(?:[^=\n]*_)?keep_?(?:originals?|copy|copies|key|backups?|history|versions?)=(?:false|no|0|none)$/m,
  }),
  danger('irreversible', high, destroys, {
    action:
      /^(?:prepare|init|initiali[sz]e|setup|set up|format|partition) (?:.* )?(?:disk|volume|partition|usb|drive|sd card)\b/,
    lines: /^(?:fs|filesystem|file_system|format|quick|scheme)=/m,
  }),
  danger('irreversible', high, destroys, {
    action:
      /^(?:xoa|usun\w*|sil|silme|slett\w*|radera|poista|smaz\w*|kasuj\w*|odstran\w*|retire|decommission|sunset) (?!.*\b(?:playlist|post|draft)\b)/,
  }),
  danger('irreversible', high, destroys, {
    action:
      /^(?:dispose|scrap|ditch|toss|burn|incinerate|cull|jettison|bin|chuck|raze|demolish|vaporize|scrub|zero|expire|evict|sunset|dissolve|liquidate|wind down) (?:of )?(?:.* )?(?:archives?|photos?|pictures?|database|db|files?|folders?|documents?|backups?|snapshots?|records?|accounts?|buckets?|mailbox|history|drive|disk|volume|server|cluster|repo|repository|everything|all)$|\bfactory reset\b/,
  }),
  danger('irreversible', high, destroys, {
    lines: /^(?:[^=\n]*_)?factory(?:_?reset)?=(?:reset|true|yes|1)$|=factory[-_ ]?reset$/m,
  }),
  danger('irreversible', high, () => say('touches_health'), {
    action:
      /^(?:update|set|adjust|edit|change) (?:.* )?(?:medicines?|medications?|medikamente?|dos(?:e|es|age)|insulin|prescriptions?)\b/,
    when: ({ words }) => !/reminder|alarm/.test(words),
  }),
  // Secrets
  danger('secret', high, codes, {
    action:
      /^(?!(?:revoke|rotate|expire|delete|set up|enable|draft|explain)\b).*\b(?:1password|bitwarden|lastpass|keepass\w*|totp|otp|ssn|clipboard|zwischenablage|keystore|passwords?|passwort\w*|2fa codes?|recovery codes?|env vars?|dotenv)\b/,
    when: ({ isReading, words }) =>
      isReading || /^(?:get|read|show|current|list|history|export|copy|dump)\b/.test(words),
  }),
  danger('secret', high, codes, {
    lines:
      /^(?:[^=\n]*_)?(?:key|psk|password|passphrase|display|show)=(?:clear|plain|cleartext|plaintext|reveal|unmasked)\w*$|\{\{?\s*[\w.]*(?:cookie|token|secret|session|password|api_?key)[\w.]*\s*\}\}?|^(?:mask|masked|redact|redacted|hide_secrets|obfuscate)=(?:false|no|0)$/m,
  }),
  danger('sensitive', high, () => say('shows_others_data'), {
    lines: /=[^\n]*\.\.[\\/]|=~?\/(?:home|users|root|etc)\b/m,
    when: ({ isOwn }) => !isOwn,
  }),
  // Passes on, runs
  danger('outward', high, passesOn, {
    lines:
      /^(?:[^=\n]*_)?(?:engine|converter|processor|api|resolver|translator|ocr|model_url|backend|host)=(?:https?|ftp|wss?):\/\/(?!localhost|127\.)/m,
    when: ({ words, isReading }) =>
      isReading || /^(?:scan|convert|ocr|translate|transcribe|resize|compress)\b/.test(words),
  }),
  danger('command', high, runsBesides, {
    lines:
      /=(?:--pre|--exec|--ext-diff|--upload-pack|-exec|--rulesdir|--checkpoint-action\S*|--to-command\S*|--use-compress-program\S*)(?:[= ]|$)/m,
  }),
  danger('command', high, foreignCode, {
    action: /^promote (?:.* )?(?:vercel|deployment|build|release|heroku|app|netlify|pipeline)\b/,
  }),
]
