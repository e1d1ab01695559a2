/**
 * What makes a request more dangerous than its verb says, since version 2 of the rules. Each pattern looks at the lines of the content: one
 * `name=value` for each value at any depth, in snake case and without accents, so that spelling and nesting change nothing.
 */
import { remembered } from '../remembered'
import { say } from '../wording'
import type { Content } from './content'
import {
  type Acted,
  bindsYou,
  codes,
  type Danger,
  danger,
  destroys,
  everybody,
  foreignCode,
  health,
  high,
  opensToOthers,
  passesOn,
  runsBesides,
} from './danger'
import { dangersInPlainWords } from './danger-in-plain-words'
import { dangersOfThings } from './danger-of-things'
import { dangersToPeople } from './danger-to-people'
import {
  commands,
  destinations,
  effectVerbs,
  keyFiles,
  later,
  meant,
  named,
  outside,
  passing,
  people,
} from './danger-words'
import type { RiskReason } from './levels'
import { knownWord, shortWords } from './values'

/** What every request is tried against. Closest to the person first within a rule. */
const dangers: Danger[] = [
  // Secrets
  danger(
    'secret',
    high,
    (found) => say('holds_keys', { place: shortWords(found.trim().replace(/^[=/\\"']+/, '')) }),
    {
      lines: new RegExp(keyFiles, 'm'),
    },
  ),
  danger('secret', high, (found) => say('gives_secret', { secret: knownWord(found.trim()) }), {
    action:
      /\b(?:(?:session )?cookies?|clipboards?|zwischenablage|presse papiers|portapapeles|ssh|gpg|pgp|wallets?|seeds?|seed phrases?|recovery (?:phrases?|codes?|keys?)|backup codes?|private keys?|public private|keychains?|keyrings?|keystrokes|keylog(?:s|ger)?|passkeys?|vaults?|autofill|saved logins?|logins|credentials?|browser (?:profiles?|data|history|sessions?|storage)|local ?storage|session ?storage|env(?:ironment)?(?: vars?| variables?)?|dotenv|tans?|otps?|totp|2fa(?: codes?)?|mfa codes?|(?:one time|verification|login|auth|security|access|sms) codes?|api ?keys?|access keys?|(?:auth|access|refresh|bearer|session|api) ?tokens?|secrets?|metadata (?:service|token)|sessions?|process memory|memory dump|password (?:manager|store|vault|hash(?:es)?))$/,
    when: ({ words }) =>
      // Seeds of a garden are bought, and a session of parking or training is started.
      (!/^(?:check|count|expire|generate|invalidate|list|revoke|rotate|test|validate|verify|top|fund|load|end|schedule|plan|create|add|start|join|book|find|set|compare|search) /.test(
        words,
      ) &&
        !/^(?:buy|order|plant|sow|water|grow|start|parking|training|yoga) (?:.* )?(?:seeds|sessions?)$/.test(
          words,
        )) ||
      /^(?:list|search|find|compare|check|get|read) (?:.* )?(?:cookies?|clipboards?|ssh|gpg|pgp|wallets?|seed|keychains?|keys?|credentials?|autofill|logins|codes?|tans?|otps?|env|vaults?|secrets?|profiles?)$/.test(
        words,
      ),
  }),
  danger('secret', high, codes, {
    action:
      /\b(?:mails?|emails?|inbox|mailbox|messages?|sms|texts?|chats?|notifications?|postfach|nachrichten|courriers?|correos?|posta|berichten|photos?|fotos?|notes?|files?|documents?|drive|screen|history)\b/,
    lines:
      /\b(?:(?:verification|security|login|sign[- ]?in|auth\w*|confirm\w*|one[- ]?time|recovery|reset|backup|2fa|mfa|access|bestatigungs|sicherheits|anmelde)[- _]?(?:codes?|links?|pins?|phrases?)|(?:password|passwort|account|konto)[- _](?:resets?|recovery|zurucksetzen)|reset (?:your )?password|otps?|tans?|2fa|mfa|magic links?|seed[- _]phrases?|recovery[- _]phrases?|einmal(?:code|passwort)|code de verification|mot de passe|codigo de verificacion|contrasena|codice di verifica|verificatiecode|private keys?|passports?|passw\w*|kennwort\w*|contrasenas?|senhas?|mots? de passe|wachtwoord\w*|ids and|ausweis\w*|id[- _]cards?)\b/,
    when: ({ words }) =>
      !/^(?:send|post|comment|reply|answer|write|draft|translate|add|create|edit|update|commit) /.test(words),
  }),
  // Passes something on
  danger('outward', high, passesOn, {
    lines: new RegExp(`${named(passing)}[^=\\n]*${meant}`, 'm'),
    when: ({ words }) => !/^(?:invoice|track) /.test(words),
  }),
  danger('outward', high, passesOn, {
    lines: new RegExp(`${named(destinations)}=[^\\n]*${outside}`, 'm'),
    when: ({ words, isReading }) =>
      !/(?:^|^\w+ )(?:draft|summari[sz]e|translate|open|view|read docs?|read pages?|read articles?|fetch|get|check|audit|validate|measure|inspect|search|find|compare|identify|cite|analy[sz]e|lookup|look up|recogni[sz]e|transcribe|parse|preview|play|download|screenshot|run lighthouse|hover)\b/.test(
        words,
      ) &&
      (isReading ||
        new RegExp(
          `^(?:export|dump|extract|sync|synchroni[sz]e|mirror|copy|replicate|migrate|move|ship|stream|backup|transfer|upload|scrape|collect) (?:.* )?(?:${people})$|^share (?:.* )?(?:contacts?|customers?|patients?|employees?|leads?|inbox|mailbox|history|health|records?|database)$`,
        ).test(words)),
  }),
  danger('outward', high, passesOn, {
    lines:
      /^(?:[^=\n]*_)?(?:url|uri|href|link|page|src|img|endpoint|address)=[a-z]+:\/\/(?!localhost|127\.)[^\s?]*\?[^\s]*?=[a-z0-9+/_=-]{16,}(?:&|$)/m,
    when: ({ isReading }) => isReading,
  }),
  danger('outward', high, everybody, {
    action:
      /^(?:reply all|(?:send|post|mail|email|message|text|notify|forward|broadcast) (?!archive|label|search|list|read|mark|get|find|count).*\b(?:all|everyone|everybody|staff|blast|mass|bulk))|^(?:mass|bulk|blast)\b/,
  }),
  danger('outward', high, everybody, {
    lines:
      /^(?:[^=\n]*_)?(?:to|cc|bcc|recipients?|audience|group|list|an)=(?:all(?:[-_ ](?:staff|users?|customers?|employees?|clients?|contacts?|members?|company|hands))?(?:@\S*)?|everyone|everybody|alle|tous|todos|tutti|iedereen)$/m,
    when: ({ isOutward }) => isOutward,
  }),
  // Destroys
  danger('irreversible', high, destroys, {
    lines:
      /^(?:[^=\n]*_)?(?:then|after|afterwards|next|action|actions|do|operation|on_[^=\n]*|mode|policy|lifecycle|danach|ensuite|luego|poi)=\W*(?:auto[-_ ]?)?(?:permanently[-_ ])?(?:delete|remove|erase|destroy|drop|purge|wipe|trash|shred|loschen|loesche\w*|supprimer|borrar|eliminar|cancella|verwijder)/m,
  }),
  danger('irreversible', high, destroys, {
    lines:
      /^(?:[^=\n]*_)?(?:(?:delet(?!e_(?:source_|head_)?branch)|remov(?!e_(?:source_)?branch)|eras|destroy|purg|wip|shred|unlink|expung|truncat|losch|loesch|supprim|effac|borr|elimin|apag|verwijder|usun)\w*)(?:_(?:after(?:_\w+)?|original\w*|source|remote|all|messages?|mails?|it|them|on_\w+|when_\w+))?=(?:true|yes|1|on|always|ja|oui|si|sim)$/m,
    when: ({ words }) => !/^(?:update|edit|sync|fetch|pull) (?:branch|branches|remote|prune)/.test(words),
  }),
  danger('irreversible', high, destroys, {
    lines:
      /^(?:[^=\n]*_)?(?:replicas|min_replicas|desired_count|capacity|retention(?:_days)?|keep|keep_last|expire_after_days)=[01]$/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('irreversible', high, destroys, {
    action: /\b(?:backups?|snapshots?|sauvegardes?|sicherung(?:en)?|archives?|retention)$/,
    lines: /^(?:[^=\n]*_)?(?:all|tout|alles|keep|resume|days|older_than)=(?:true|all|0|never|\*)$/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('irreversible', high, bindsYou, {
    action:
      /^(?:e ?sign|sign|countersign|accept|agree|conclude|enter|execute|unterschreib\w*|unterzeichn\w*|signer|firmar?e?|assinar|onderteken\w*|tekenen?) (?:.* )?(?:contracts?|agreements?|ndas?|leases?|terms|tos|conditions|mandates?|power of attorney|vollmacht|vertrage?|vertrag|mietvertrag|contrat|contrato|contratto|contract|loans?|mortgages?|guarant\w+|offers?|will|deeds?|settlements?|waivers?|sow|proposal|quote|order)$/,
  }),
  danger('irreversible', high, bindsYou, {
    action:
      /^(?:renew|extend|cancel|terminate|change|switch|end|quit|close|stop|apply|take|request|kundig\w*|kuendig\w*|resilier|rescindir|disdire|disdetta|opzeggen|cancelar|anular) (?:.* )?(?:leases?|loans?|mortgages?|insurances?|krankenversicherung|versicherung(?:en)?|vertrage?|vertrag|contracts?|contrat|contrato|contratto|polic(?:y|ies)|pensions?|tenanc(?:y|ies)|employment|credit|kredit|assurance|seguro|assicurazione|verzekering|residency|citizenship|visa|health ?care|health plan)$/,
    when: ({ isKnown, words }) => !isKnown && !/librar|book/.test(words),
  }),
  danger('irreversible', high, bindsYou, {
    lines:
      /^(?:[^=\n]*_)?(?:min(?:imum)?_?term(?:_months)?|contract_(?:months|years|term)|lock_?(?:days|in|up|period|in_months)|commitment(?:_(?:months|years))?|term_(?:months|years)|notice_period|penalty(?:_\w+)?|then_(?:monthly|yearly|price|amount)|(?:price|amount|fee)_after(?:_trial)?|mindestlaufzeit|vertragslaufzeit|laufzeit)=(?!(?:0|null|none|false)$)/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('irreversible', high, health, {
    action:
      /^(?:cancel|skip|stop|change|adjust|increase|decrease|reduce|double|move|delay|pause|mute|delete|refuse|decline|disable|update|set) /,
    lines:
      /\b(?:chemo\w*|radiotherap\w*|surger(?:y|ies)|operations?termin|dialysis|transplant\w*|insulin\w*|medicines?|medications?|medikament\w*|doses?|dosage|dosis|antibiotic\w*|blood thinner|warfarin|pacemaker|inhaler|epipen|oncolog\w*|vaccin\w*|therap(?:y|ies|ie)|biopsy|pills?|tabletten)\b/m,
  }),
  danger('irreversible', high, health, {
    action:
      /^(?:cancel|skip|stop|change|adjust|increase|reduce|double|delay|pause|refuse|order|renew) (?:.* )?(?:medicines?|medications?|dos(?:e|es|age)|insulin|prescriptions?|surger(?:y|ies)|chemo\w*|dialysis|treatments?|therap(?:y|ies)|vaccinations?)$/,
    when: ({ words }) => !/^(?:renew|order) prescription/.test(words),
  }),
  // Runs something
  danger('command', high, runsBesides, {
    lines: new RegExp(`^(?:[^=\\n]*_)?(?:${later})=(?!\\d)[^\\n]*\\b(?:${effectVerbs})`, 'm'),
  }),
  danger('command', high, runsBesides, {
    lines:
      /^(?:[^=\n]*_)?(?:js|javascript|script|eval|expression|inject\w*|on_?load|macro|formula|payload|exec\w*)=[^\n]*(?:fetch\(|document\.|eval\(|xmlhttp|import\(|require\(|system\(|exec\(|window\.|localstorage|\.then\(|webservice\(|<script|subprocess|powershell|https?:)/m,
  }),
  danger('command', high, foreignCode, {
    lines:
      /^(?:[^=\n]*_)?(?:conftest|script|plugin|extension|module|package|loader|preload|image|config|template|hook|source|from|to|version|registry|index_?url|install\w*|url|mcp|server|profile|addon)=(?:git\+|(?:https?:\/\/)?(?:raw\.githubusercontent|gist\.github|pastebin|transfer\.sh|bit\.ly|tinyurl)|https?:\/\/[^\s]*\.(?:sh|ps1|py|js|exe|msi|dmg|pkg|apk|mobileconfig|jar|bat|vsix|xpi|crx|deb|rpm|code-profile)(?:$|[?#]))/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('command', high, foreignCode, {
    action: /^(?:edit|write|update|change|create|modify|append|add|set|move|copy|save|patch|replace|rename) /,
    lines:
      /(?:^|[/\\=])(?:\.github[/\\](?:workflows|actions)|\.gitlab-ci|\.circleci|jenkinsfile|\.git[/\\](?:hooks|config)|\.husky|\.pre-commit|\.vscode[/\\](?:tasks|settings|launch)|\.claude|\.codex|\.cursor|\.mcp\.json|mcp\.json|claude\.md$|agents\.md$|\.bash(?:rc|_profile)|\.zsh(?:rc|env)|\.profile|crontab|cron\.\w+|launch(?:agents|daemons)|systemd|autostart|init\.d|sudoers|hosts$|ssh_config|sshd_config|\.gitconfig|\.npmrc|authorized_keys|startup[/\\])|^(?:[^=\n]*_)?(?:disable_?all_?hooks|hooks)=/m,
  }),
  danger('command', high, foreignCode, {
    lines: new RegExp(
      `^(?:[^=\\n]*_)?(?:command|commands|cmd|script|shell|bash|args|argv|exec|code|step|steps|run|program|entrypoint|input|line|task)=[^\\n]*(?:${commands})`,
      'm',
    ),
  }),
  // Control
  danger('control', high, opensToOthers, {
    action:
      /^(?:connect|link|authori[sz]e|authenticate|install|enable|allow|approve|grant|add|integrate|sync) (?:.* )?(?:apps?|accounts?|integrations?|services?|oauth|extensions?|plugins?|addons?|devices?|bank|drive|mailbox|permissions?)$/,
    lines:
      /^(?:[^=\n]*_)?(?:permissions?|scopes?|offline_access|access|client_id|rights|unattended\w*|remote_?control|auto_?approve\w*)=(?!(?:false|none|null|read:user|openid)?$)/m,
  }),
  danger('control', high, opensToOthers, {
    lines:
      /(?:^|[=_ ])(?:anydesk|teamviewer|rustdesk|quicksupport|logmein|screenconnect|connectwise|ultraviewer|vnc|ngrok|cloudflared|chrome remote desktop)\b|^(?:[^=\n]*_)?(?:allow_control|remote_control|unattended_?access|give_control|request_control|public_ip|expose\w*)=(?!(?:false|no|0|null|none)?$)/m,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:share|give|allow|grant) (?:.* )?(?:screen|control|desktop|remote|computer|location|session)$|^(?:open|expose|forward|publish|tunnel|unlock|map) (?:.* )?(?:ports?|tunnels?|gateways?|routers?|network|localhost|vpn|database|proxy|nat)$|^(?:expose|tunnel)\b/,
    when: ({ words }) => !/ location$/.test(words),
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:share|set|change|make|update|publish|edit|create|open|configure) (?!(?:.* )?(?:posts?|article|video|story|status|tweet|listing|job|event|page|blog)$)/,
    lines:
      /^(?:[^=\n]*_)?(?:visibility|access|sharing|audience|scope|link|public|who|permission|privacy|acl|read)=(?:public\w*|anyone\w*|any|everyone|world|internet|unlisted|all_users|allusers|authenticated_users|true)$/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:recover|migrate|port|transfer|move|divert|redirect|forward|reassign|swap|convert|restore) (?:.* )?(?:accounts?|phone numbers?|numbers?|sims?|esims?|mailbox(?:es)?|domains?|calls?|dns|mx|handles?|identit(?:y|ies))$/,
    when: ({ isReading }) => !isReading,
  }),
  danger('control', high, opensToOthers, {
    lines:
      /^(?:[^=\n]*_)?(?:new_?(?:recovery_?)?(?:e?mail|phone|number|owner|device)|recovery_?(?:e?mail|phone|number|address|contact)|backup_?(?:e?mail|phone)|porting_?(?:pin|code)|auth_?code|keep_?passwords?|user_code|device_code)=(?!(?:false|null|none)?$)/m,
    when: ({ isReading, words }) =>
      !isReading && !/^(?:add|update|edit|create) (?:contact|customer|client)/.test(words),
  }),
  danger('control', high, opensToOthers, {
    lines:
      /(?:^|[=\s])[\w.]+:(?:write|admin|\*)(?:$|[\s,])|\/auth\/(?:drive|gmail|calendar|contacts|cloud-platform)\b|[?&/](?:device_?auth|oauth2?\/(?:authorize|deviceauth|grant)|user_code=)|\bgmail\.(?:send|modify)\b/m,
  }),
  danger('control', high, opensToOthers, {
    lines:
      /^(?:[^=\n]*_)?(?:do|then|actions?|routine|steps?|commands?|run|on_[^=\n]*)=[^\n]*\b(?:unlock|disarm|open (?:the )?(?:door|gate|garage|window|safe|lock)|offne|entsperr|deverrouill|abrir|aprire)/m,
  }),
  danger('control', high, opensToOthers, {
    action:
      /^(?:open|unlock|offne|oeffne|entsperre|ouvrir|ouvre|deverrouiller|abrir|abre|aprire|apri|openen) (?:.* )?(?:doors?|gates?|garages?|locks?|safes?|house|home|windows?|tur|tor|haustur|porte|portail|puerta|porta|deur|trunk|blinds? door)$/,
  }),
  ...dangersToPeople,
  ...dangersOfThings,
  ...dangersInPlainWords,
]

/** What a pattern finds in the words of an action: null for nothing, and in which order of the words. */
interface InAction {
  found: string
  isTurned: boolean
}

/** Returns for each danger what its pattern finds in the action. `words`: both orders, separated by a line break. */
const inActions = remembered((words): (InAction | null)[] => {
  const [plain = '', turned = ''] = words.split('\n')
  return dangers.map(({ action }) => {
    if (action === undefined) return { found: '', isTurned: false }
    const found = action.exec(plain)
    if (found !== null) return { found: found[0], isTurned: false }
    const other = action.exec(turned)
    return other === null ? null : { found: other[0], isTurned: true }
  })
})

/** Returns what is dangerous beyond the verb and the known params. */
export function dangersOf(acted: Acted, { lines }: Pick<Content, 'lines'>): RiskReason[] {
  const text = lines.join('\n')
  const known = inActions(`${acted.words}\n${acted.turned}`)
  const turned = { ...acted, words: acted.turned }
  const found: RiskReason[] = []
  for (const [at, { rule, level, lines: pattern, when, wording }] of dangers.entries()) {
    const inAction = known[at] ?? null
    if (inAction === null || (pattern !== undefined && text === '')) continue
    if (found.some((reason) => reason.rule === rule)) continue
    if (when !== undefined && !when(inAction.isTurned ? turned : acted)) continue
    const inLines = pattern?.exec(text)
    if (inLines === null) continue
    if (inLines === undefined) found.push({ rule, level, wording: wording(inAction.found, '') })
    else {
      const line = lineAt(text, inLines.index)
      found.push({ rule, level, wording: wording(rule === 'secret' ? inLines[0] : nameOf(line), line) })
    }
  }
  return found
}

/** Returns the line of the text that has this place. */
const lineAt = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1).split('\n', 1)[0] ?? ''

const nameOf = (line: string): string => line.split('=', 1)[0] ?? line
