/** A secretlint rule for the secrets of this service, and for private keys in the forms that it reads and writes. */
import { crc32 } from 'node:zlib'

const base32 = '[0-9A-HJKMNP-TV-Z]'

/** Says whether the last seven characters of a beak key are its checksum. */
function hasChecksum(key) {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  let rest = crc32(key.slice(0, -7))
  let sum = ''
  for (let place = 0; place < 7; place++) {
    sum = digits.charAt(rest % 32) + sum
    rest = Math.floor(rest / 32)
  }
  return key.endsWith(sum)
}

/** `name: "value"` with or without quotes, also inside a JSON text in a string (`\"d\":\"…\"`). */
const member = (name, value) =>
  `(?<![\\w$-])\\\\?["'\`]?${name}\\\\?["'\`]?\\s*:\\s*\\\\?["'\`]${value}\\\\?["'\`]`

/** Each kind of secret, with the whole secret as the match. */
const kinds = [
  {
    name: 'BeakKey',
    pattern: new RegExp(`beak_KEY-${base32}{26}_${base32}{59}(?![0-9A-Z])`, 'g'),
    accept: hasChecksum,
  },
  // Handshakes, SSO tokens, device tokens and mailed links: an id and a secret of 256 bits (lib/kernel/secrets/secret-token.ts).
  { name: 'BeakToken', pattern: new RegExp(`(?<![A-Z])[A-Z]{2,4}-${base32}{78}(?![0-9A-Z])`, 'g') },
  // 128 bits or more: shorter texts are examples, and the service makes 256 bits.
  { name: 'WebhookSecret', pattern: /whsec_[A-Za-z0-9+/]{22,}={0,2}/g },
  { name: 'ServiceSecret', pattern: /BEAK_SECRET(?:_PREVIOUS)?["']?\s*[=:]\s*["'`]?[A-Za-z0-9+/=_-]{32,}/g },
  // The private member of an EC, OKP or RSA key. 43 characters are 256 bits.
  { name: 'PrivateJwk', pattern: new RegExp(member('d', '[A-Za-z0-9_-]{43,}'), 'g') },
  {
    name: 'SymmetricJwk',
    pattern: new RegExp(`\\{[^{}]*${member('kty', 'oct')}[^{}]*\\}`, 'g'),
    accept: (text) => new RegExp(member('k', '[A-Za-z0-9_-]{22,}')).test(text),
  },
  // Line breaks may be written as \n, as in a string or an environment variable.
  {
    name: 'PemPrivateKey',
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[A-Za-z0-9+/][^-]{30,}/g,
  },
  // The signer's key of a signed note, as the Go packages for transparency logs write it.
  { name: 'NoteSignerKey', pattern: /PRIVATE\+KEY\+[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{40,}={0,2}/g },
]

/** Finds the secrets of this service in a text, with positions in UTF-16 units. */
const findOwnSecrets = (text, allowed) =>
  kinds.flatMap(({ name, pattern, accept = () => true }) =>
    [...text.matchAll(pattern)]
      .filter(([match]) => accept(match) && !allowed.some((start) => match.includes(start)))
      .map((match) => ({ kind: name, range: [match.index, match.index + match[0].length] })),
  )

/**
 * Finds comments that turn rules off: exceptions stand in secrets.mjs. A comment also hides what is reported after it, so each
 * is reported at the start and at the end of the text too.
 */
const findComments = (text) =>
  [...text.matchAll(/secretlint-(?:dis)able/g)].flatMap(({ index }) =>
    [0, index, text.length].map((place) => ({ kind: 'CommentThatDisablesRules', range: [place, place] })),
  )

/** The rule. Its option `allows` lists texts inside values that only look like secrets. */
export const creator = {
  messages: {},
  meta: { id: 'beak', type: 'scanner', recommended: true, supportedContentTypes: ['all'] },
  create: (context, { allows = [] } = {}) => ({
    file({ content }) {
      for (const { kind, range } of [...findOwnSecrets(content, allows), ...findComments(content)])
        context.report({ message: { message: kind, messageId: kind, data: {} }, range })
    },
  }),
}
