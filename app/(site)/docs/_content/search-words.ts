/** The words that people type for something that the documentation calls by another name. */
const synonyms: [typed: string[], written: string[]][] = [
  [
    ['payload', 'payloads', 'body'],
    ['message', 'data'],
  ],
  [
    ['pagination', 'paging', 'paginate', 'page through'],
    ['pagination', 'lists cursor', 'next_cursor'],
  ],
  [['login', 'log in', 'logon', 'signin'], ['sign in']],
  [['logout', 'log out', 'signout'], ['sign out']],
  [['register', 'signup'], ['sign up']],
  [
    ['docker', 'container', 'kubernetes', 'compose'],
    ['container', 'image', 'host install'],
  ],
  [
    ['local development', 'local', 'localhost', 'locally'],
    ['test your program', 'own computer', 'beak dev'],
  ],
  [['sdk', 'library', 'package'], ['client']],
  [
    [
      'always allow',
      'allow list',
      'allowlist',
      'auto-approve',
      'automatic approval',
      'policy',
      'policies',
      'spending limit',
    ],
    ['rules', 'rule budget'],
  ],
  [['api key', 'apikey', 'secret key'], ['beak key']],
  [
    ['token', 'access token'],
    ['session', 'grant_token'],
  ],
  [
    ['permission', 'authorization', 'consent'],
    ['grant', 'permission'],
  ],
  [
    ['rate limit', 'rate limits', 'ratelimit', 'throttle', 'quota', 'too many requests'],
    ['limits', '429'],
  ],
  [['passkey', 'passkeys'], ['add a passkey']],
  [['mfa', '2fa', 'two factor', 'second factor', 'webauthn'], ['passkey']],
  [
    ['test mode', 'sandbox', 'mock', 'stub', 'fake'],
    ['test your program', 'beak dev'],
  ],
  [
    ['google', 'github', 'oauth', 'oidc', 'saml'],
    ['google sign in', 'sign in'],
  ],
  [['callback', 'hook'], ['webhook']],
  [['notifications', 'notification', 'push', 'reminders', 'alerts', 'ring'], ['notifications']],
  [['lost phone', 'lost my phone', 'stolen phone', 'phone stolen', 'phone lost'], ['you lost your phone']],
  [['lost email', 'lost my email', 'lost mail', 'lost my mail'], ['you lost your mailbox']],
  [['hacked', 'stolen account', 'account stolen', 'stolen', 'scam', 'phishing'], ['stay safe']],
  [['invitation', 'invite', 'invitation link'], ['a friend asks you']],
  [
    ['certificate', 'birth certificate'],
    ['what a certificate is', 'certificate'],
  ],
  [['approve', 'reject', 'undo', 'answer'], ['answer a request']],
  [
    ['receipt', 'receipts'],
    ['words receipt', 'receipt'],
  ],
  [
    ['chatgpt', 'claude', 'claude.ai', 'gemini', 'cursor', 'codex', 'assistant'],
    ['connect chatgpt claude or another program', 'where to paste it'],
  ],
  [
    ['event', 'events'],
    ['webhook kinds', 'event'],
  ],
  [
    ['retry', 'duplicate', 'double'],
    ['idempotency', 'retry'],
  ],
  [['offline'], ['offline', 'check yourself']],
  [['price', 'cost', 'pay'], ['spend money']],
  [
    ['delete account', 'delete my account', 'delete', 'close account', 'gdpr', 'dsgvo'],
    ['close your account', 'privacy'],
  ],
  [
    ['upgrade', 'migrate', 'migration', 'breaking'],
    ['upgrade', 'migrate', 'versions'],
  ],
  [
    ['down', 'outage', 'uptime'],
    ['status', 'incident'],
  ],
]

const writtenFor = new Map(synonyms.flatMap(([typed, written]) => typed.map((words) => [words, written])))
const wordsInPhrase = 3

/** Words that say nothing about what somebody looks for. */
const fillers = new Set(
  'a an and are can do does for from how i in is it me my of on or the to what when where why with you your'.split(
    ' ',
  ),
)

export interface Term {
  typed: string
  /** Words for the same in the documentation. */
  written: string[]
}

/** Splits a query into terms: phrases of the table, and single words. Leaves fillers out when other words remain. */
export function termsOf(query: string): Term[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const terms: Term[] = []
  while (words.length > 0) terms.push(takeTerm(words))
  const telling = terms.filter(({ typed }) => !fillers.has(typed))
  return telling.length > 0 ? telling : terms
}

/** Takes the longest phrase of the table from the start of the words, or one word. */
function takeTerm(words: string[]): Term {
  for (let count = Math.min(wordsInPhrase, words.length); count > 0; count -= 1) {
    const typed = words.slice(0, count).join(' ')
    const written = writtenFor.get(typed)
    if (written === undefined && count > 1) continue
    words.splice(0, count)
    return { typed, written: written ?? [] }
  }
  throw new Error('There is no word left.')
}
