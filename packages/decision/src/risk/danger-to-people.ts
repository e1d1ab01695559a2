/** Dangers for money, for what protects a person, and for what is close to people. */

import { say } from '../wording'
import { changesPayee, type Danger, danger, high, weakensProtection } from './danger'
import { shortWords } from './values'

export const dangersToPeople: Danger[] = [
  // Money
  danger('money', high, changesPayee, {
    action:
      /^(?:update|change|edit|correct|set|replace|modify|add|adjust|fix|amend|confirm|save|redirect|create|verify|aktualisier\w*|ander\w*|aender\w*|modifier|cambiar|modificare|alterar|wijzig\w*) (?!.*\b(?:iban)?(?:note|draft|event|task|reminder|template)s?$)/,
    lines:
      /^(?:[^=\n]*_)?(?:iban|bic|new_account|account_number|account_no|routing\w*|sort_code|pay_?to|payee|payout_?(?:account|address|to|method)|refund_to|refund_account|bank_?(?:account|details)|kontonummer|bankverbindung|wallet_?(?:address)?|deposit_account|direct_deposit\w*|beneficiary\w*)=(?!(?:null|false|none)?$)|^(?:[^=\n]*_)?(?:field|property|column|key|attribute)=(?:pay_?to|payto|iban|payee|account(?:_?number)?|bank\w*|bic)$/m,
  }),
  danger('money', high, changesPayee, {
    action:
      /^(?:update|change|edit|correct|set|replace|modify|adjust|add|redirect|swap) (?:.* )?(?:payees?|beneficiar(?:y|ies)|direct deposit|payout(?: account| method)?|bank (?:details|account)|iban|payroll account|payment (?:method|details|account)|account number|bankverbindung|refund destination)$/,
  }),
  danger('money', high, () => say('moves_money'), {
    action:
      /^(?:stake|swap|bridge|mint|unstake|farm|short|long|leverage|lend|bet|gamble|wager|liquidate|withdraw|airdrop|zap) |^(?:sign|approve|permit|send|transfer) (?:.* )?(?:eth|btc|tokens?|crypto|coins?|nfts?|usdc|usdt|permit|allowance|spender|typed data|sol)$/,
    when: ({ words }) =>
      !/^(?:mint (?:tea|sauce)|swap (?:shift|seat|meal|day|room|duty|order|image|photo|word|text|file|color|colour)s?|withdraw (?:application|request|proposal|invitation|review|comment)s?|zap)$/.test(
        words,
      ) && !/^short (?:url|link)/.test(words),
  }),
  danger('money', high, () => say('moves_money'), {
    lines:
      /\b(?:eth_sign\w*|permit2?|setapprovalforall|increaseallowance)\b|\b(?:0x[0-9a-f]{40}|bc1[a-z0-9]{25,60}|[13][1-9a-hj-np-z]{33})\b|\b(?:paypal\.me|revolut\.me|venmo\.com|cash\.app|bunq\.me|buymeacoffee\.com|ko-fi\.com|monzo\.me|wise\.com\/pay|tikkie\.me|lydia-app\.com)\b/m,
  }),
  // A payment may name the page of its shop: its amount says how much.
  danger('money', high, () => say('link_leads_to_payment'), {
    lines: /[?&/](?:transfer|pay|checkout|donate|withdraw|topup|payment|buy)(?:[?/=&]|$)/m,
    when: ({ words }) => !/^(?:pay|buy|purchase|order|book|renew|reserve) /.test(words),
  }),
  danger('money', high, () => say('moves_money'), {
    lines:
      /^(?:[^=\n]*_)?(?:amount|value|sum|betrag|montant|importe|importo)=(?:max|all|everything|unlimited|alles|tout|todo|tutto|infinite|remaining|balance|full)$/m,
  }),
  danger('money', high, () => say('moves_money'), {
    action:
      /^(?:test|check|verify|try|simulate|process|capture|run) (?:.* )?(?:payments?|cards?|charges?|payouts?|transfers?|checkout)$/,
    lines: /^(?:[^=\n]*_)?(?:mode|live|env|environment|dry_run)=(?:live|true|real|production|prod|false)$/m,
  }),
  // Safeguards
  danger('force', high, weakensProtection, {
    action:
      /^(?:mute|silence|disable|deactivate|pause|snooze|stop|skip|suspend|turn off|switch off|ignore|dismiss|bypass|disarm|remove|unplug|lower|relax|whitelist|allowlist|exempt|ausschalten|deaktivier\w*|abschalten|desactiver|desactivar|disattivare|uitschakelen) (?:.* )?(?:(?:smoke|co|gas|water|leak|motion|fire|fraud|intrusion|burglar|carbon monoxide) ?(?:detectors?|alarms?|sensors?|alerts?)?|detectors?|alarms?|cameras?|cctv|locks?|sensors?|firewalls?|antivirus|defender|gatekeeper|edr|vpn|mfa|2fa|guards?|siem|audit(?: log)?s?|logging|monitoring|protections?|security|filters?|parental controls?|rauchmelder|alarmanlage|kamera|fraud detection|verification|branch protection|rate limits?|scanners?|adblock\w*|sandbox|presence simulation|baby monitor|encryption|backups?|updates?)$/,
    when: ({ words }) => !/(?:^pause backup|alarm clock|^(?:snooze|stop) alarm)$/.test(words),
  }),
  danger('force', high, weakensProtection, {
    action:
      /\b(?:alarms?|detectors?|alarmanlage|security|locks?|cameras?|fraud|firewall|presence simulation|guard|protection|antivirus|monitoring)\b/,
    lines:
      /^[^=\n]*=(?:off|disarm(?:ed)?|disabled?|false|0|none|silent|mute[d]?|home_off|bypass|aus|unarmed)$/m,
    when: ({ isReading }) => !isReading,
  }),
  danger('force', high, (name) => say('detail_hides', { words: shortWords(name) }), {
    lines:
      /^(?:[^=\n]*_)?(?:stealth|stealthy|covert|hidden|hide_\w+|invisible|incognito_?mode|undetected|no_trace|no_?log(?:s|ging)?|suppress_\w*(?:alert|notification|warning|log)\w*|skip_?inbox|silent(?:ly)?|delete_(?:logs?|trace|sent)\w*|without_notice|dont_notify|secretly|heimlich|unbemerkt|discret\w*|oculto|nascosto)=(?:true|yes|1|on|always|ja|oui|si)$/m,
  }),
  danger('force', high, weakensProtection, {
    lines:
      /^(?:[^=\n]*_)?(?:bypass\w*|skip_?(?:checks?|review|verification|ci|tests|approval|2fa|kyc)|auto_?(?:confirm|approve|accept|sign|pay|buy|send|submit)\w*|no_?confirm\w*|without_(?:review|confirmation|approval)|override\w*|ignore_(?:warnings?|errors?_security|limits?))=(?:true|yes|1|on|always|\*|ja|oui|si)$/m,
  }),
  // Other people's data, and what is close to a person
  danger('sensitive', high, () => say('shows_others_data'), {
    action:
      /^(?:export|dump|extract|share|publish|sell|scrape|download|upload|transfer|sync|exportier\w*|exporter|exportar|esportare) (?:.* )?(?:customers?|patients?|employees?|health(?: records?| data)?|medical(?: records?)?|leads?|kundenliste|kunden|patienten|clientes|salar(?:y|ies)|payroll|browser profile|identit(?:y|ies)|passports?|contacts?|address ?book|members|subscribers|user data|personal data|database|genome|dna)$/,
    when: ({ words, isOwn }) => !isOwn || !/^(?:download|sync) contacts?$/.test(words),
  }),
  danger('sensitive', high, () => say('shows_others_data'), {
    action: /^(?:share|send|publish|post|forward|upload|export) /,
    lines:
      /\b(?:gehaltsliste|salar(?:y|ies)|payroll|passports?|ausweis|patient\w*|diagnos\w*|kundenliste|customer list|employee list|personalakte|medical record|id card|social security|ssn)\b/m,
  }),
  danger('sensitive', high, () => say('shows_others_data'), {
    action:
      /^(?:read|view|get|list|show|access|listen|watch|fetch|open|track|record|monitor|check|search) (?:.* )?(?:lab results?|medical records?|health (?:records?|data)|diagnos[ei]s|therapy notes|sms|private messages|microphone|bedroom|baby monitor|bank statements?|tax returns?|messages|mails?|emails?|inbox|photos|passport|location history|browsing history|browser history|camera)$/,
    when: ({ isOwn }) => !isOwn,
  }),
  danger('sensitive', high, () => say('shows_others_data'), {
    action:
      /\b(?:messages?|mails?|emails?|inbox|phone|location|chats?|photos?|calls?|sms|whatsapp|history|camera|device|screen)\b/,
    lines:
      /\b(?:partner|wife|husband|girlfriend|boyfriend|spouse|ex|boss|colleague|coworker|neighbou?r|employee|daughter|son|roommate|freundin|ehefrau|kollegin?)['’]?s?\s(?:iphone|phone|mails?|inbox|mailbox|messages|account|device|laptop|location|whatsapp|chats?|handy)\b/m,
    when: ({ isReading }) => isReading,
  }),
]
