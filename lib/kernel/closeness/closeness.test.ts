import type { Constraint } from '@beak/proofs/rules/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeness } from './closeness'

type Params = Record<string, unknown>
/** A constraint for the param `v`, and other ways of writing a value that it is about. */
interface Case {
  constraint: Constraint
  spellings: unknown[]
}

const isClose = (constraint: Constraint, params: Params) =>
  closeness({ params: { v: constraint } }, params) !== null

const letters = 'abcdefghjkmnopqrstuvwxyz'
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 4, maxLength: 9 })
const lookAlikes: Record<string, string> = { a: 'а', c: 'с', e: 'е', o: 'ο', p: 'р', x: 'х', y: 'у' }
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
const accented = (text: string) => text.replace(/[aeo]/, (letter) => `${letter}\u0301`)

/** Ways of writing that every text has. */
const textForms: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.charAt(0).toUpperCase() + text.slice(1),
  (text) => ` ${text}`,
  (text) => `${text}\n`,
  (text) => `${text.slice(0, 2)}\u200b${text.slice(2)}`,
  (text) => `\u202e${text}\u00ad`,
  (text) => text.replace(/[aceopxy]/g, (letter) => lookAlikes[letter] ?? letter),
  accented,
  (text) => accented(text).normalize('NFC'),
  fullWidth,
  (text) => `\u200b${'\u200c'.repeat(5000)}${text}`,
]
/** Ways of hiding a value in another one. */
const wrapped = (value: unknown): unknown[] => [
  [value],
  [[value]],
  { value },
  { a: { b: [value] } },
  JSON.stringify([value]),
  ['x', value],
]

const texts = fc.tuple(word, word).map(([one, two]): Case => {
  const text = `${one} ${two}`
  return {
    constraint: { equals: text },
    spellings: [
      ...textForms.map((form) => form(text)),
      `${one}  ${two}`,
      `${one}\t${two}`,
      `${one}-${two}`,
      `${one}_${two}`,
      `"${text}".`,
      ...wrapped(text),
    ],
  }
})

const mails = fc.tuple(word, word, word).map(([one, two, host]): Case => {
  const mail = `${one}.${two}@${host}.com`
  return {
    constraint: { one_of: ['someone@else.org', mail] },
    spellings: [
      ...textForms.map((form) => form(mail)),
      `${one}.${two}+x@${host}.com`,
      `${one}${two}@${host}.com`,
      `${one}.${two}+a+b@${host.toUpperCase()}.com.`,
      `Boss <${mail}>`,
      `mailto:${mail}`,
      `${mail}, other@else.org`,
      `${one}.${two}%40${host}.com`,
      ...wrapped(mail),
    ],
  }
})

const webs = fc.tuple(word, word, word).map(([host, one, two]): Case => {
  const url = `https://${host}.com/${one}/${two}`
  return {
    constraint: { equals: url },
    spellings: [
      ...textForms.map((form) => form(url)),
      `HTTPS://${host.toUpperCase()}.com/${one}/${two}`,
      `http://${host}.com/${one}/${two}`,
      `https://${host}.com:443/${one}/${two}`,
      `https://${host}.com./${one}/${two}`,
      `https://www.${host}.com/${one}/${two}`,
      `https://user:pw@${host}.com/${one}/${two}`,
      `https://${host}.com/./${one}/x/../${two}`,
      `https://${host}.com//${one}///${two}/`,
      `https://${host}.com/${one}/${two}?`,
      `https://${host}.com/${one}/${two}#top`,
      `https://${host}.com/${one}/${two}?utm=1`,
      `https://${host}.com/${one}/${two}/index.html`,
      `https://${host}.com/${one};a=1/${two}`,
      `https://${host}.com/${one}/%${two.charCodeAt(0).toString(16)}${two.slice(1)}`,
      `https://${host}.com/${one}/%25${two.charCodeAt(0).toString(16)}${two.slice(1)}`,
      `https://${host}.com\\${one}\\${two}`,
      `https://${host}.com/${'./'.repeat(4000)}${one}/${two}`,
      `https://${host}.com/${one}/${two}?${'x'.repeat(9000)}`,
      `${host}.com/${one}/${two}`,
      ...wrapped(url),
    ],
  }
})

const queries = fc.tuple(word, word).map(
  ([host, one]): Case => ({
    constraint: { equals: `https://${host}.com/?id=${one}&all=1` },
    spellings: [
      `https://${host}.com/?all=1&id=${one}`,
      `https://${host}.com?ID=${one.toUpperCase()}&all=1`,
      `https://${host}.com/?x=2&all=1&id=${one}#a`,
    ],
  }),
)

const domains = fc.tuple(word, word).map(([host, one]): Case => {
  const domain = `${host}.com`
  return {
    constraint: { domain },
    spellings: [
      `${one}@${domain}.`,
      `${one}@${host}.com`.toUpperCase(),
      `http://${domain}/`,
      `https://${domain}:8443/`,
      `https://a:b@${domain}/`,
      `https://x.${domain}./`,
      `Me <${one}@${domain}>`,
      `${host}\u3002com`,
      fullWidth(domain),
      `https://${domain.replace(/[aceopxy]/g, (letter) => lookAlikes[letter] ?? letter)}/`,
      ...wrapped(`${one}@${domain}`),
    ],
  }
})

const internationalDomain: Case = {
  constraint: { domain: 'xn--bcher-kva.example' },
  spellings: [
    'a@bücher.example',
    'https://bu\u0308cher.example/',
    'https://BÜCHER.example/x',
    'bücher.example',
  ],
}

const folders = fc.tuple(word, word).map(([one, two]): Case => {
  const folder = `/${one}/${two}`
  return {
    constraint: { path_below: folder },
    spellings: [
      folder,
      `${folder}/`,
      `${folder.toUpperCase()}/x`,
      `/${one}/./${two}`,
      `/${one}/x/../${two}/y`,
      `//${one}//${two}/y`,
      `/${one}\\${two}\\y`,
      `/${one}/%${two.charCodeAt(0).toString(16)}${two.slice(1)}/y`,
      `file://${folder}/y`,
      `C:${folder}/y`,
      `${one}/${two}/y`,
      `${'/.'.repeat(5000)}${folder}/y`,
      `/${one}/${two} /y`,
      ...textForms.map((form) => `/${one}/${form(two)}/y`),
      ...wrapped(`${folder}/y`),
    ],
  }
})

const numbers = fc.integer({ min: 2, max: 9_999 }).map(
  (number): Case => ({
    constraint: { equals: number },
    spellings: [
      String(number),
      ` ${number} `,
      `${number}.0`,
      `${number}.00`,
      `0${number}`,
      `+${number}`,
      `${number}e0`,
      fullWidth(String(number)),
      String(number).replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
      `0x${number.toString(16)}`,
      ...wrapped(number),
      ...wrapped(String(number)),
    ],
  }),
)

const flags: Case = {
  constraint: { equals: true },
  spellings: ['true', 'TRUE', ' yes', 1, '1', 'on', 'Y', [true], { v: 'true' }],
}

const moneyBounds = fc.integer({ min: 1, max: 900 }).chain((least) =>
  fc.integer({ min: least, max: 999 }).map((amount): Case => {
    return {
      constraint: { at_least: `€${least}.00` },
      spellings: [
        amount,
        String(amount),
        `${amount},00 €`,
        `${amount}.000 EUR`,
        `eur ${amount}`,
        `${amount} euros`,
        `$${amount}`,
        `USD ${amount}`,
        { value: amount, currency: 'EUR' },
        { amount, currency: 'EUR', vat: 0 },
        [`€${amount}`],
        'a lot',
        `${amount}k`,
        fullWidth(`€${amount}`),
      ],
    }
  }),
)

const numberBounds = fc.integer({ min: 1, max: 900 }).map(
  (most): Case => ({
    constraint: { between: [0, most] },
    spellings: [String(most), `${most}.0`, [most], { n: most }, `about ${most}`, 'a few', `€${most}`],
  }),
)

const days: Case = {
  constraint: { equals: '2026-12-24' },
  spellings: [
    '2026-12-24T10:00:00Z',
    '2026-12-25T01:00:00+09:00',
    '24.12.2026',
    '12/24/2026',
    '2026/12/24',
    '20261224',
    '24 Dec 2026',
    'December 24, 2026',
    '24.12.26',
    Date.UTC(2026, 11, 24) / 1000,
    Date.UTC(2026, 11, 24),
    ['2026-12-24'],
  ],
}
const dayBounds: Case = {
  constraint: { at_least: '2026-12-24' },
  spellings: ['2026-12-24T10:00:00Z', '25.12.2026', '12/25/2026', 'Christmas', '1 Jan 2027', 'next week'],
}

const phones = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(
  (number): Case => ({
    constraint: { equals: `+49 1${number}` },
    spellings: [
      `+491${number}`,
      `00491${number}`,
      `01${number}`,
      `+49 (1) ${number}`,
      `+49-1-${number}`,
      `491${number}`,
    ],
  }),
)
const iban: Case = {
  constraint: { equals: 'DE89370400440532013000' },
  spellings: ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000', 'DE89-3704-0044-0532-0130-00'],
}
const json: Case = {
  constraint: { unchanged: { to: ['boss@example.com'], days: 3 } },
  spellings: [
    { days: 3, to: 'boss@example.com' },
    { to: ['Boss@example.com'], days: '3' },
    { to: ['boss@example.com', 'x@example.com'], days: 3 },
    { to: ['boss@example.com'], days: 3, more: null },
    '{"to":["boss@example.com"],"days":3}',
  ],
}

describe('a rule that rejects or asks', () => {
  const fixed = [internationalDomain, flags, days, dayBounds, iban, json].map((one) => fc.constant(one))
  // security: agent-4
  it('is close to every other spelling of what it names', () => {
    for (const cases of [
      texts,
      mails,
      webs,
      queries,
      domains,
      folders,
      numbers,
      moneyBounds,
      numberBounds,
      phones,
      ...fixed,
    ])
      fc.assert(
        fc.property(cases, ({ constraint, spellings }) => {
          for (const v of spellings)
            expect(isClose(constraint, { v }), JSON.stringify([constraint, v]).slice(0, 300)).toBe(true)
        }),
        { numRuns: 8 },
      )
  })

  // security: agent-4
  it('is close to a request that spells or nests the name of a param, or moves an address to another one', () => {
    const mail: Constraint = { equals: 'boss@example.com' }
    const moved: Params[] = [
      { To: 'boss@example.com' },
      { 'to ': 'Boss@example.com' },
      { tо: 'boss@example.com' },
      { recipient: 'boss@example.com' },
      { cc: 'boss@example.com', to: 'friend@example.com' },
      { message: { to: [{ address: 'boss@example.com' }] } },
      { note: 'boss@example.com', to: 'friend@example.com' },
    ]
    for (const params of moved)
      expect(closeness({ params: { to: mail } }, params), JSON.stringify(params)).not.toBeNull()
    expect(closeness({ params: { amount: { at_least: '€40.00' } } }, { total: '€41.00' })).toEqual(['total'])
    expect(closeness({ params: { file: { path_below: '/srv/blue' } } }, { target: '/srv/blue' })).toEqual([
      'target',
    ])
  })

  it('is not close to values that only look similar', () => {
    const apart: [Constraint, unknown[]][] = [
      [
        { equals: 'boss@example.com' },
        ['boss@example.org', 'bossa@example.com', 'example.com', 'boss', '', null],
      ],
      [
        { equals: 'https://example.com/admin' },
        [
          'https://example.com/',
          'https://example.com/admins',
          'https://example.com/admin/x',
          'https://example.org/admin',
        ],
      ],
      [
        { domain: 'example.com' },
        ['a@example.org', 'https://myexample.com/', 'https://example.com.evil.org/'],
      ],
      [{ path_below: '/srv/blue' }, ['/srv', '/srv/blues', '/srv/red/blue', '/srv/blue/../red/x']],
      [{ equals: 12 }, [1, 2, 121, '1.2', '12.5', '', null, 'twelve']],
      [{ equals: '1.10' }, ['11.0', '1.1.0', '110']],
      [{ equals: '192.168.1.10' }, ['192.168.11.0', '192.168.1.1']],
      [{ equals: 'INV-16' }, ['INV-18', 'INV-61', 'INV-160']],
      [{ equals: true }, [false, 0, 'no', null]],
      [{ at_least: '€40.00' }, ['€39.99', 39, '39,99 €', { amount: 39, currency: 'EUR' }, 'US$20.00']],
      [{ at_most: 5 }, [6, '6', [7]]],
      [{ equals: '2026-12-24' }, ['2026-12-23', '2026-12-25', '2026-11-24', '2026-12-27T00:00:00Z']],
      [{ at_least: '2026-12-24' }, ['2026-12-23', '20.12.2026', '2026-12-01T10:00:00Z']],
      [{ between: ['2026-12-24', '2026-12-26'] }, ['2026-12-23', '2026-12-27', '1 Jan 2027']],
    ]
    for (const [constraint, values] of apart)
      for (const v of values)
        expect([constraint, v, isClose(constraint, { v })]).toEqual([constraint, v, false])
  })

  it('is close to almost no value that is drawn at random', () => {
    const kinds = [texts, mails, webs, domains, folders, numbers, phones]
    let found = 0
    for (const left of kinds)
      for (const right of kinds)
        fc.assert(
          fc.property(left, right, ({ constraint }, { constraint: other }) => {
            if (!('equals' in other)) return
            if (isClose(constraint, { v: other.equals })) found++
          }),
          { numRuns: 12 },
        )
    expect(found).toBeLessThanOrEqual(10)
  })

  it('answers within a moment to long values', () => {
    const long = [
      '/a'.repeat(30_000),
      'a'.repeat(60_000),
      'а.'.repeat(20_000),
      '1,'.repeat(30_000),
      '%41'.repeat(20_000),
      'a@'.repeat(30_000),
      '1 a'.repeat(20_000),
      Array.from({ length: 10_000 }, (_, at) => at),
    ]
    const constraints: Constraint[] = [
      { equals: 'boss@example.com' },
      { domain: 'example.com' },
      { path_below: '/srv' },
      { at_least: '€5' },
      { at_least: '2026-01-01' },
      { unchanged: { a: [1, 'x'] } },
    ]
    const start = performance.now()
    for (const v of long) for (const constraint of constraints) isClose(constraint, { v })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
