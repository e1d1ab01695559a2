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
  isUnknown: false,
  firstLine: null,
  values: [],
  named: null,
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
const links = (text: string) => text.match(/\S*(?:https?:\/\/|www|\w\.\w)\S*/g)

describe('a mail about one request', () => {
  it('says in the subject who wants what, and in the text how often, until when and where to answer', () => {
    const { kind, subject, text } = one()
    expect(kind).toBe('peck_waiting')
    expect(subject).toBe('"Scout" of Alice42 wants to send an email')
    expect(text).toBe(
      [
        '"Scout" of Alice42 wants to send an email',
        [
          'Asked by: "Scout", an agent of Alice42 (ID ending in 7F3K)',
          'If you approve: Allowed once, within 24 hours',
          'Answer by: 2026-11-23 20:25 UTC',
        ].join('\n'),
        'Open the request:',
        `${base}/pecks/PECK-01JDV8K2M3N4P5Q6R7S8T9V0W1`,
        'Change your notifications:',
        `${base}/notifications\n`,
      ].join('\n\n'),
    )
  })

  it('names a person without quotation marks, and an own agent as such', () => {
    expect(one({ agent: null }).subject).toBe('Alice42 wants to send an email')
    expect(one({ agent: null }).text).toContain('Asked by: Alice42 (ID ending in 7F3K)\n')
    expect(one({ isOwnAgent: true }).text).toContain('Asked by: Scout, your agent\n')
  })

  it('says in the subject and in the text that the reader does not know the asker', () => {
    const { subject, text } = one({ isUnknown: true })
    expect(subject).toBe('Somebody you don\'t know: "Scout" of Alice42 wants to send an email')
    expect(text).toMatch(/Asked by: "Scout", an agent of Alice42.*, whom you don't know\n/)
  })

  it('begins the subject of an impostor with whom the asker is not, and has room for what it wants', () => {
    const line = (text: string) => ({
      firstLine: { text, isLikeness: true },
      isUnknown: true,
      isHighRisk: true,
    })
    expect(one(line('Not you: same name, other person.')).subject).toBe(
      'Not you: same name, other person. High risk: send an email',
    )
    const known = line('Not the Alice42 you approved on 23 November: same name, other person.')
    const text = 'Careful: this is not the Alice42 you approved. Another person has the same name.'
    const twin = { subject: 'Not the Alice42 you approved on 23 November.', text }
    const mail = one({ ...known, firstLine: { ...known.firstLine, twin } })
    expect(mail.subject).toBe('Not the Alice42 you approved on 23 November. High risk: send an email')
    expect(mail.text).toMatch(/^Careful: this is not the Alice42 you approved\. Another person/)
  })

  it('says in the subject and first in the text that a permission lasts', () => {
    const { subject, text } = one({ extent: { extent: 'standing', lifetime: '' } })
    expect(subject).toBe('"Scout" of Alice42 wants to send an email, until you end it')
    expect(text).toMatch(
      /^This is not for one time only\. It may happen again and again until you end it\.\n/,
    )
  })

  it('leaves the amount out of the first line when a row has it, and says that a large one is large', () => {
    const firstLine = { text: 'It involves €1,980.00.', isLikeness: false, rule: 'amount' }
    const values = [value({ role: 'amount', name: 'amount', type: 'money', text: '€1,980.00' })]
    expect(one({ firstLine, values }).text).toMatch(/^"Scout" of Alice42 wants/)
    expect(one({ firstLine, values, isHighRisk: true }).text).toMatch(/^This is a large amount\.\n/)
    expect(one({ firstLine }).text).toMatch(/^It involves /)
  })

  // security: asker-21
  it('keeps the letters of a name of any script, and removes a phone number from it', () => {
    const person = '\u2068محمد\u2069'
    expect(one({ agent: null, person }).subject).toBe(`${person} wants to send an email`)
    expect(one({ person }).text).toContain(`an agent of ${person} (ID ending in 7F3K)\n`)
    expect(one({ agent: null, person: 'Call 0800 123 4567' }).subject).toBe(
      'Call [number removed] wants to send an email',
    )
  })

  it('shows times in the time zone of the reader', () => {
    expect(one({}, 'Europe/Berlin').text).toMatch(
      /Answer by: 23 Nov 2026, 21:25\n[\s\S]*\n\nTimes are in Europe\/Berlin\.\n$/,
    )
    expect(one({}, 'Asia/Kathmandu').text).toContain('Answer by: 24 Nov 2026, 02:10\n')
  })

  it('begins the subject with the high risk, and warns in the text', () => {
    const { subject, text } = one({ isHighRisk: true })
    expect(subject).toBe('High risk: "Scout" of Alice42 wants to send an email')
    expect(text).toMatch(/^High risk\.\n\nHigh risk: "Scout"/)
    const why = one({ isHighRisk: true, firstLine: { text: "Deleting can't be undone.", isLikeness: false } })
    expect(why.text).toMatch(/^Deleting can't be undone\.\n\n/)
    expect(one({ isHighRisk: true, isReminder: true }).subject).toBe(
      'Reminder: high risk: "Scout" of Alice42 wants to send an email',
    )
    expect(one().text).not.toContain('risk')
  })

  it('says that it is a reminder', () => {
    const { kind, subject, text } = one({ isReminder: true })
    expect([kind, subject]).toEqual(['peck_reminder', 'Reminder: "Scout" of Alice42 wants to send an email'])
    expect(text).toMatch(/^This request is still waiting\. It expires on 2026-11-23 20:25 UTC\.\n/)
    expect(text).toContain('Answer by: 2026-11-23 20:25 UTC')
  })
})

const value = (change: Partial<MailedValue>): MailedValue => ({
  role: 'object',
  name: 'name',
  type: 'value',
  text: 'customers-production',
  domain: null,
  warning: null,
  ...change,
})
/** As people see it: the characters that keep addresses from becoming links have no width. */
const bare = (text: string | null) => (text ?? '').replaceAll('\u2060', '')

describe('the values in a mail', () => {
  const own = {
    isOwnAgent: true,
    isHighRisk: true,
    action: 'delete a database',
    actionBeforeName: 'delete the database',
  }
  const flag = value({ role: null, name: 'force', text: 'true' })

  it.each<[string, Partial<MailedValue>, string, string]>([
    ['delete a database', {}, 'delete the database customers-production', 'Name: customers-production'],
    [
      'pay a bill',
      { role: 'amount', name: 'amount', type: 'money', text: '€4,800.00' },
      'pay a bill (€4,800.00)',
      'Amount: €4,800.00',
    ],
    [
      'send an email',
      { role: 'recipient', name: 'to', type: 'email', text: 'bob@example.com' },
      'send an email to "bob@example.com"',
      'To: "bob@example.com"',
    ],
    [
      'delete a row',
      { role: 'other', name: 'table', text: 'users' },
      'delete a row (table users)',
      'Table: users',
    ],
    [
      'publish a page',
      {
        role: 'other',
        name: 'url',
        type: 'url',
        text: 'https://bank.com.evil.example/x',
        domain: 'evil.example',
      },
      'publish a page (web address "evil.example")',
      'Web address: "evil.example"',
    ],
    ['“wipe pond”', { text: 'main' }, '"wipe pond" (main)', 'Name: main'],
    [
      'pay a bill',
      { role: 'recipient', name: 'iban', text: 'DE89 3704 0044 0532 0130 00' },
      'pay a bill to DE89370400440532013000',
      'IBAN: DE89370400440532013000',
    ],
  ])('are in the subject and in the text: %s', (action, change, wish, fact) => {
    const actionBeforeName = action.startsWith('“') ? null : own.actionBeforeName
    const values = [value(change)]
    const named = values[0]?.name ?? null
    const { subject, text } = one({ ...own, action, actionBeforeName, values, named })
    expect(bare(subject)).toBe(`High risk: Scout wants to ${wish}`)
    expect(bare(text)).toContain(`\n${fact}\n`)
  })

  it('tell a forced push from another one', () => {
    const push = (branch: string, ...more: MailedValue[]) =>
      one({
        isOwnAgent: true,
        action: 'push to a Git repository',
        actionBeforeName: null,
        values: [
          value({ name: 'repository', text: 'firma/webshop' }),
          value({ role: 'other', name: 'branch', text: branch }),
          ...more,
        ],
        named: 'repository',
      }).subject
    expect(push('main', flag)).toBe(
      'Scout wants to push to a Git repository ("firma/webshop", force, branch main)',
    )
    expect(push('main')).toBe('Scout wants to push to a Git repository ("firma/webshop", branch main)')
    expect(push('next')).not.toBe(push('main'))
    expect(push('release-2026', flag)).toBe(
      'Scout: push to a Git repository ("firma/webshop", force, branch release-2026)',
    )
  })

  it('that have no room in the subject are in the text', () => {
    const values = [
      value({ role: 'amount', name: 'amount', type: 'money', text: '€1,980.00' }),
      value({ role: 'recipient', name: 'to', text: 'Stadtwerke Bonn' }),
      value({ role: null, name: 'purpose', type: 'text', text: 'x'.repeat(50) }),
    ]
    const { subject, text } = one({ ...own, action: 'pay an invoice', values, named: 'amount' })
    expect(subject).toBe('High risk: Scout wants to pay an invoice (€1,980.00, to "Stadtwerke Bonn")')
    expect(text).toContain(`"purpose": ${'x'.repeat(50)}\n`)
  })

  it('are not in a subject when they need a warning or are secret', () => {
    const values = [
      value({
        name: 'to',
        role: 'recipient',
        text: 'pаypal.example',
        warning: 'Contains hidden characters.',
      }),
      value({ name: 'password', type: 'secret', text: '••••••' }),
    ]
    const { subject, text } = one({ ...own, values, named: 'to' })
    expect(subject).toBe('High risk: Scout wants to delete a database')
    expect(bare(text)).toContain('To: "pаypal.example" (Contains hidden characters.)')
  })

  it('have the names of the asker in quotation marks, so that none reads like a line of the service', () => {
    const values = ['High_risk', 'answer_by', 'asked_by', 'Beak says'].map((name) =>
      value({ role: null, name, text: 'none' }),
    )
    const { text } = one({ ...own, values })
    expect(text.match(/^.*: none$/gm)).toEqual([
      '"High_risk": none',
      '"answer_by": none',
      '"asked_by": none',
      '"Beak says": none',
    ])
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
  ])('add no header, no line, no link and no markup, as value and as name: %j', (text) => {
    const values = [value({ text }), value({ role: null, name: text, text: 'x' })]
    const mail = one({ ...own, values, named: 'name' })
    expect(mail.subject).toMatch(/^High risk: Scout(?: wants to|:) delete (?:the|a) database[^\p{Cc}]*$/u)
    expect([...(mail.subject ?? '')].length).toBeLessThanOrEqual(80)
    expect(mail.text.split('\n\n')).toHaveLength(7)
    expect(mail.text.split('\n\n')[2]?.split('\n')).toHaveLength(5)
    expect(links(mail.text)).toEqual([`${base}/pecks/${peck().id}`, `${base}/notifications`])
    expect(mail.html).not.toMatch(/evil\.example|<img|5550199|555-0199/)
  })
})

describe('a mail about several requests', () => {
  it('lists each with its values, and has one button', () => {
    const pecks = [peck({ values: [value({})] }), peck({ id: 'PECK-B', agent: null, isHighRisk: true })]
    const { subject, text, html } = peckMessage(pecks, {
      count: 2,
      newCount: 2,
      highCount: 1,
      reader: unknownReader,
    })
    expect(subject).toBe('2 new requests wait for your answer, 1 with a high risk')
    expect(text).toMatch(
      /^1\. "Scout" of Alice42 wants to send an email\nAsked by: .+\nName: customers-production\n/,
    )
    expect(text).toMatch(/\n2\. High risk\.\nHigh risk: Alice42 wants to send an email\n/)
    expect(text).toContain(`Answer by: 2026-11-23 20:25 UTC\n${base}/pecks/PECK-B\n`)
    expect(text).toContain(`Open the inbox:\n\n${base}/pecks\n`)
    expect(html?.match(/class="button"/g)).toHaveLength(1)
    expect(text).not.toContain('more')
  })

  it('has people whom the reader does not know below the others', () => {
    const pecks = [peck({ isUnknown: true, person: 'Eve' }), peck({ person: 'Bob7' })]
    const { text } = peckMessage(pecks, { count: 2, newCount: 2, highCount: 0, reader: unknownReader })
    expect(text).toMatch(/^1\. .+ of Bob7 [\s\S]+\n\nPeople you don't know\n\n2\. .+ of Eve /)
    const strangers = pecks.slice(0, 1).flatMap((one) => [one, one])
    const digest = peckMessage(strangers, { count: 2, newCount: 2, highCount: 0, reader: unknownReader })
    expect(digest.subject).toBe("2 requests from people you don't know")
  })

  it('counts the pecks that it does not list', () => {
    const pecks = Array.from({ length: listedMax }, () => peck())
    const { text } = peckMessage(pecks, { count: 22, newCount: 22, highCount: 0, reader: unknownReader })
    expect(text).toContain('12 more requests are in your inbox.')
  })

  it('tells reminders from new requests', () => {
    const pecks = [peck({ isReminder: true }), peck()]
    const mixed = peckMessage(pecks, { count: 2, newCount: 1, highCount: 0, reader: unknownReader })
    expect(mixed.subject).toBe('2 requests wait for your answer')
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
    expect(text).toMatch(/\nAsked by: "[^"\p{C}]{1,40}", an agent of Alice42 \(ID ending in 7F3K\)\n/u)
    expect(links(text)).toEqual([`${base}/pecks/${peck().id}`, `${base}/notifications`])
  })
})
