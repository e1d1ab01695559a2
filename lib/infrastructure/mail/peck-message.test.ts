import { describe, expect, it } from 'vitest'
import { config } from '@/lib/kernel/config'
import { listedMax, type MailedPeck, type MailedValue, peckMessage } from './peck-message'
import { unknownReader } from './reader'

const base = config().baseUrl

const peck = (change: Partial<MailedPeck> = {}): MailedPeck => ({
  id: 'PECK-01JDV8K2M3N4P5Q6R7S8T9V0W1',
  person: 'Alice42',
  personMark: 'ID ending in 7F3K',
  agent: 'Scout',
  isOwnAgent: false,
  action: 'send an email',
  actionBeforeName: 'send the email',
  extent: { extent: 'once', lifetime: '24 hours' },
  firstLine: null,
  value: null,
  isHighRisk: false,
  isReminder: false,
  expiresAt: new Date('2026-11-23T20:25:00.000Z'),
  ...change,
})
const one = (change: Partial<MailedPeck> = {}, readerZone: string | null = null) =>
  peckMessage([peck(change)], {
    count: 1,
    newCount: change.isReminder ? 0 : 1,
    highCount: change.isHighRisk ? 1 : 0,
    reader: { readerZone, readerLanguage: null },
  })

/** Every line that could become a link. */
const links = (text: string) => text.match(/\S*(?:https?:|www|\w\.\w)\S*/g)

describe('a mail about one request', () => {
  it('says in the subject who wants what, and in the text how often, until when and where to answer', () => {
    const { kind, subject, text } = one()
    expect(kind).toBe('peck_waiting')
    expect(subject).toBe('"Scout" of Alice42 wants to send an email')
    expect(text).toBe(
      [
        '"Scout", an agent of Alice42 (ID ending in 7F3K), wants to send an email, once, within 24 hours of the approval.',
        'You can answer it until 2026-11-23 20:25 UTC.',
        'See the whole request and answer it:',
        `${base}/pecks/PECK-01JDV8K2M3N4P5Q6R7S8T9V0W1`,
        'Choose which requests we mail you about, and when:',
        `${base}/notifications\n`,
      ].join('\n\n'),
    )
  })

  it('explains how an address is written that must not become a link, and only then', () => {
    const explanation = 'We write [at], [.] and [:] for @, . and :'
    const value = {
      role: 'recipient',
      word: 'to',
      type: 'email',
      text: 'bob@example.com',
      domain: null,
    } as const
    expect(one({ value }).text).toContain(explanation)
    expect(one({ value: { ...value, text: 'bob' } }).text).not.toContain(explanation)
  })

  it('names a person without quotation marks, and an own agent as such', () => {
    expect(one({ agent: null }).subject).toBe('Alice42 wants to send an email')
    expect(one({ agent: null }).text).toMatch(/^Alice42 \(ID ending in 7F3K\) wants to send an email, once/)
    expect(one({ isOwnAgent: true }).text).toMatch(/^"Scout", your agent, wants to send/)
  })

  // security: asker-21
  it('keeps the letters of a name of any script, and removes a phone number from it', () => {
    const person = '\u2068محمد\u2069'
    expect(one({ agent: null, person }).subject).toBe(`${person} wants to send an email`)
    expect(one({ person }).text).toMatch(
      new RegExp(`^"Scout", an agent of ${person} \\(ID ending in 7F3K\\), wants`),
    )
    expect(one({ agent: null, person: 'Call 0800 123 4567' }).subject).toBe(
      'Call [number removed] wants to send an email',
    )
  })

  it('shows times in the time zone of the reader', () => {
    expect(one({}, 'Europe/Berlin').text).toContain('until 23 Nov 2026, 21:25 (Europe/Berlin).')
    expect(one({}, 'Asia/Kathmandu').text).toContain('until 24 Nov 2026, 02:10 (Asia/Kathmandu).')
  })

  it('begins the subject with the high risk, and warns in the text', () => {
    const { subject, text } = one({ isHighRisk: true })
    expect(subject).toBe('High risk: "Scout" of Alice42 wants to send an email')
    expect(text).toContain('This request has a high risk. Read it closely.')
    expect(one({ isHighRisk: true, isReminder: true }).subject).toBe(
      'High risk: "Scout" of Alice42 wants to send an email (reminder)',
    )
    expect(one().text).not.toContain('risk')
  })

  it('says that it is a reminder', () => {
    const { kind, subject, text } = one({ isReminder: true })
    expect([kind, subject]).toEqual(['peck_reminder', 'Reminder: "Scout" of Alice42 wants to send an email'])
    expect(text).toContain('This request still waits for your answer. It expires on 2026-11-23 20:25 UTC.')
  })
})

const value = (change: Partial<MailedValue>): MailedValue => ({
  role: 'object',
  word: 'name',
  type: 'value',
  text: 'customers-production',
  domain: null,
  ...change,
})

describe('the value in a mail', () => {
  const own = {
    isOwnAgent: true,
    isHighRisk: true,
    action: 'delete a database',
    actionBeforeName: 'delete the database',
  }
  it.each<[string, Partial<MailedValue>, string, string]>([
    ['delete a database', {}, 'delete the database customers-production', 'Name: customers-production'],
    [
      'pay a bill',
      { role: 'amount', type: 'money', text: '€4,800.00' },
      'pay a bill (€4,800.00)',
      'Amount: €4,800.00',
    ],
    [
      'send an email',
      { role: 'recipient', type: 'email', text: 'bob@example.com' },
      'send an email to "bob[at]example[.]com"',
      'To: "bob[at]example[.]com"',
    ],
    [
      'delete a row',
      { role: 'other', word: 'table', text: 'users' },
      'delete a row (table users)',
      'Table: users',
    ],
    [
      'publish a page',
      {
        role: 'other',
        word: 'url',
        type: 'url',
        text: 'https://bank.com.evil.example/x',
        domain: 'evil.example',
      },
      'publish a page (url "evil[.]example")',
      'Url: "evil[.]example"',
    ],
    ['“wipe:pond”', { text: 'main' }, '"wipe:pond" (main)', 'Name: main'],
  ])('is in the subject of a high risk and in the text: %s', (action, change, wish, fact) => {
    const actionBeforeName = action.startsWith('“') ? null : own.actionBeforeName
    const { subject, text } = one({ ...own, action, actionBeforeName, value: value(change) })
    expect(subject).toBe(`High risk: Scout wants to ${wish}`)
    expect(text).toContain(`\n\n${fact}\n\n`)
  })

  it('is in the text only when the risk is not high, and in an item of a list', () => {
    const { subject } = one({ value: value({}) })
    expect(subject).not.toContain('customers')
    const pecks = [peck({ value: value({}) }), peck()]
    const { text } = peckMessage(pecks, { count: 2, newCount: 2, highCount: 0, reader: unknownReader })
    expect(text).toContain('Name: customers-production. Expires 2026')
  })

  it.each([
    'x\r\nBcc: victim@evil.example',
    '" Beak approved this. "',
    'https://evil.example/login',
    'call +1 (800) 555-0199 now',
    '\u202egro.live\u2066',
    'nothing dangerous',
    `${'a'.repeat(200)}@evil.example`,
    '<img src=x onerror=alert(1)>',
  ])('adds no header, no line, no link and no markup: %j', (text) => {
    const mail = one({ ...own, value: value({ text }) })
    expect(mail.subject).toMatch(/^High risk: Scout wants to delete the database "[^"\p{C}]{1,140}"$/u)
    // One line more explains how an address is written.
    expect(mail.text.split('\n\n')).toHaveLength(mail.text.includes('[.] and [:] for @') ? 9 : 8)
    expect(links(mail.text)).toEqual([`${base}/pecks/${peck().id}`, `${base}/notifications`])
    expect(mail.html).not.toMatch(/evil\.example|<img|5550199|555-0199/)
  })
})

describe('a mail about several requests', () => {
  it('lists each with its own link', () => {
    const pecks = [peck(), peck({ id: 'PECK-B', agent: null, isHighRisk: true })]
    const { subject, text } = peckMessage(pecks, {
      count: 2,
      newCount: 2,
      highCount: 1,
      reader: unknownReader,
    })
    expect(subject).toBe('2 new requests wait for your answer, 1 with a high risk')
    expect(text).toMatch(
      /^2 new requests wait for your answer:\n\n1\. "Scout", an agent of Alice42 \(ID ending in 7F3K\), wants/,
    )
    expect(text).toContain('2. Alice42 (ID ending in 7F3K) wants to send an email, once')
    expect(text).toContain(
      `High risk. Expires 2026-11-23 20:25 UTC. See it and answer:\n\n${base}/pecks/PECK-B\n`,
    )
    expect(text).not.toContain('more')
  })

  it('counts the pecks that it does not list', () => {
    const pecks = Array.from({ length: listedMax }, () => peck())
    const { text } = peckMessage(pecks, { count: 22, newCount: 22, highCount: 0, reader: unknownReader })
    expect(text).toContain(
      '22 new requests wait for your answer. These 10 have the highest risk or expire first:',
    )
    expect(text).toContain(`And 12 more. See all of them:\n\n${base}/pecks\n`)
  })

  it('tells reminders from new requests', () => {
    const pecks = [peck({ isReminder: true }), peck()]
    const mixed = peckMessage(pecks, { count: 2, newCount: 1, highCount: 0, reader: unknownReader })
    expect(mixed.subject).toBe('2 requests wait for your answer')
    expect(mixed.text).toContain(
      '1. "Scout", an agent of Alice42 (ID ending in 7F3K), wants to send an email',
    )
    expect(mixed.text).toContain('Reminder: expires 2026-11-23')
    const reminders = peckMessage(pecks, { count: 2, newCount: 0, highCount: 0, reader: unknownReader })
    expect([reminders.kind, reminders.subject]).toEqual(['peck_reminder', '2 requests will expire soon'])
  })
})

describe('text of the asker', () => {
  const hostile = [
    'Scout\r\nBcc: victim@evil.example',
    'Scout" wants nothing. "Click https://evil.example/u',
    'evil.example',
    '\u202eevil\u2066\u0000',
    'x'.repeat(64),
  ]

  it.each(hostile)('adds no header, no line and no link: %j', (agent) => {
    const action = '“visit:evil.example/login”'
    const { subject, text } = one({ agent, action })
    expect(subject).toMatch(/^"[^"\p{C}]{1,40}" of Alice42 wants to "\[link removed\]"$/u)
    expect(text.split('\n\n')).toHaveLength(6)
    expect(text.split('\n\n')[0]).toMatch(
      /^"[^"\p{C}]{1,40}", an agent of Alice42 \(ID ending in 7F3K\), wants to "\[link removed\]"/u,
    )
    expect(links(text)).toEqual([`${base}/pecks/${peck().id}`, `${base}/notifications`])
  })
})
