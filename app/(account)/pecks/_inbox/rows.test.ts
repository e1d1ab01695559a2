import { englishText, say, type Wording } from '@beak/decision/wording'
import { describe, expect, it } from 'vitest'
import { rowOf } from './make-row'
import { announcementOf, firstLines, groupRows, type InboxAnswer, neighbourOf, rangeOf } from './rows'

type Item = InboxAnswer['items'][number]

const item = (change: Partial<Item> = {}): Item => ({
  peck_id: 'PECK-1',
  requester: {
    type: 'agent',
    duckling_id: 'DUCK-1',
    display_name: 'Mallard',
    trust_tier: 'T1',
    agent_id: 'AGT-1',
    agent_name: 'Scout” of Eider',
  },
  action: 'send:email',
  scope: 'limited',
  sentence: 'send an email, once, within 24 hours of the approval',
  value: { name: 'to', type: 'email', text: 'eider@pond.example' },
  values: [{ name: 'to', type: 'email', text: 'eider@pond.example', role: 'recipient' }],
  risk_level: 'medium',
  first_contact: false,
  known: true,
  first_line: null,
  as_before: null,
  needs_passkey: false,
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  ...change,
})

const rowWith = (...values: Item['values']) => rowOf(item({ values }), 'DUCK-2')
const clippedText = (text: string) => rowWith({ name: 'x', type: 'text', text }).value

describe('rowOf', () => {
  it('has the words of the action, the value, and who asks', () => {
    expect(rowOf(item(), 'DUCK-2')).toMatchObject({
      asker: 'AGT-1',
      name: '“Scout of Eider”',
      operator: 'Mallard',
      owner: { duckling_id: 'DUCK-1', trust_tier: 'T1' },
      words: 'Send an email',
      value: 'to eider@pond.example',
      more: [],
      payee: 'eider@pond.example',
    })
    expect(rowOf(item(), 'DUCK-1')).toMatchObject({ operator: 'you', owner: null })
  })

  it('quotes an action that the service has no words for', () => {
    expect(rowOf(item({ action: 'frobnicate:pond' }), 'DUCK-2').words).toBe('“frobnicate pond”')
  })

  it('shows a long value as one short line, with hidden characters made visible', () => {
    expect(clippedText('a\u202eb\n\nc')).toBe('a⟨U+202E⟩b c')
    expect(clippedText('x'.repeat(10_000))).toBe(`${'x'.repeat(200)} …`)
  })
})

it('shows a plain value with its name', () => {
  expect(rowWith({ name: 'cascade', type: 'value', text: 'true' }).value).toBe('cascade: true')
})

it('shows the value also after a long name', () => {
  const value = { name: `database ${'x'.repeat(200)}`, type: 'value' as const, text: 'customers' }
  expect(rowWith(value).value).toBe(`database ${'x'.repeat(15)} …: customers`)
})

it('puts the amount beside the words, wherever it stands, and all other values below', () => {
  const row = rowWith(
    { name: 'service', type: 'value', text: 'webshop', role: 'object' },
    { name: 'amount', type: 'money', text: '€1,980.00', role: 'amount' },
    { name: 'payee', type: 'value', text: 'Hoster GmbH', role: 'recipient' },
    { name: 'from', type: 'date', text: 'Monday 7 December 2026' },
  )
  expect(row).toMatchObject({
    value: '€1,980.00',
    isAmount: true,
    more: ['webshop', 'payee: Hoster GmbH', 'from: Monday 7 December 2026'],
    payee: 'Hoster GmbH',
  })
})

it.each([
  ['price_per_hour', 'price per hour: €95.00'],
  ['maxPrice', 'max price: €95.00'],
  ['price', '€95.00'],
  ['permitted_amount', '€95.00'],
])('names an amount whose name says more than money: %s', (name, text) => {
  const row = rowWith({ name, type: 'money', text: '€95.00', role: 'amount' })
  expect(row).toMatchObject({ value: text, isAmount: true })
})

describe('a time of another zone', () => {
  const textOf = (at: string, zone: string | null) => {
    const value = { name: 'at', type: 'date', text: 'as sent', ...dateOf(at) } as const
    return rowOf(item({ values: [value] }), 'DUCK-2', zone).value
  }
  const dateOf = (at: string) => {
    const [date = '', rest = ''] = at.split('T')
    const offset = rest.slice(5)
    return {
      wording: say('date_in_zone', {
        date,
        time: rest.slice(0, 5),
        zone: offset === 'Z' ? 'UTC' : `UTC${offset}`,
      }),
    }
  }

  it('has the time of the viewer beside it, and none where the clocks agree or the zone is unknown', () => {
    expect(textOf('2026-12-12T18:00Z', 'Europe/Berlin')).toBe('as sent, your time: 12 Dec 2026, 19:00')
    expect(textOf('2026-12-12T23:30+01:00', 'Asia/Tokyo')).toBe('as sent, your time: 13 Dec 2026, 07:30')
    expect(textOf('2026-12-12T19:00+01:00', 'Europe/Berlin')).not.toContain('your time')
    expect(textOf('2026-12-12T18:00Z', null)).not.toContain('your time')
  })
})

describe('the reason of a row', () => {
  const reasonOf = (change: Partial<Item>, viewerId = 'DUCK-2') => rowOf(item(change), viewerId).reason
  const line = (rule: NonNullable<Item['first_line']>['rule'], wording: Wording) => ({
    rule,
    text: englishText(wording),
    wording,
  })
  const money = line('money', say('involves_amount', { amount: { amount: 120, currency: 'EUR' } }))

  it('is left out where the row says as much, unless the risk is high', () => {
    expect(reasonOf({ first_line: money })).toBeNull()
    expect(reasonOf({ first_line: line('outward', say('others_may_see')) })).toBeNull()
    expect(reasonOf({ first_line: money, risk_level: 'high' })).toBe('It involves \u2068€120.00\u2069.')
    expect(reasonOf({ first_line: line('standing', say('lasts_until_revoked')) })).toMatch(/^The permission/)
  })

  it('says that a permission has no end, once, whatever else it says', () => {
    const [scope, secret] = ['standing', line('sensitive', say('shows_email'))] as const
    const noEnd = 'Any number of times, until you revoke it.'
    expect(reasonOf({ scope })).toBe(noEnd)
    expect(reasonOf({ scope, first_line: money })).toBe(noEnd)
    expect(reasonOf({ scope, first_line: secret })).toBe(`${noEnd} It shows your email address.`)
    const lasts = line('standing', say('lasts_until_revoked'))
    expect(reasonOf({ scope, first_line: lasts })).toBe('The permission lasts until you revoke it.')
  })

  it('follows the sentence of a favour, which stands in place of its action', () => {
    const favour = {
      name: 'favour',
      type: 'text',
      text: 'borrow your car on Sunday',
      role: 'object',
    } as const
    const change = { action: 'ask:favour', values: [favour] }
    expect(rowOf(item(change), 'DUCK-2')).toMatchObject({
      words: '\u2068“borrow your car on Sunday”\u2069',
      value: null,
      more: [],
    })
    const warning = 'Contains characters that are not visible.'
    expect(rowOf(item({ ...change, values: [{ ...favour, warning }] }), 'DUCK-2').words).toBe(
      'Ask you a favour',
    )
  })

  it('names the asker, also an own agent', () => {
    const first_line = line('first_time_asker', say('new_asker'))
    expect(reasonOf({ first_line })).toBe("You've never approved anything from “Scout of Eider”.")
    expect(reasonOf({ first_line }, 'DUCK-1')).toBe(
      "You haven't approved anything from your agent “Scout of Eider” yet.",
    )
  })
})

it('adds no amount that has a warning, and names no payee that has one', () => {
  const warning = 'Contains an amount that cannot be read exactly.'
  expect(
    rowWith(
      { name: 'amount', type: 'money', text: '4.800 €', role: 'amount', warning },
      { name: 'to', type: 'value', text: 'eve', role: 'recipient', warning },
    ),
  ).toMatchObject({ value: '4.800 €', isAmount: false, payee: null })
})

describe('announcementOf', () => {
  it.each([
    [
      'DUCK-1',
      '\u2068“Scout of Eider”, your agent,\u2069 wants to send an email: \u2068to eider@pond.example\u2069.',
    ],
    [
      'DUCK-2',
      '\u2068“Scout of Eider”, an agent of Mallard (…CK-1),\u2069 wants to send an email: \u2068to eider@pond.example\u2069.',
    ],
  ])('for %s is one sentence', (viewerId, sentence) => {
    expect(announcementOf(rowOf(item(), viewerId))).toBe(sentence)
  })
})

const rows = (...texts: string[]) =>
  texts.map(
    (text) =>
      ({
        id: text,
        asker: text.charAt(0),
        risk: text.endsWith('9') ? 'high' : 'low',
        isKnown: !text.startsWith('s'),
        operator: text.startsWith('m') ? 'you' : null,
      }) as const,
  )
const known = (...keys: string[]) => keys.map((key) => ({ key, isStranger: false }))
const shape = (groups: ReturnType<typeof groupRows>) =>
  groups.map(({ key, rows: found }) => `${key}: ${found.map(({ id }) => id).join(' ')}`)

describe('groupRows', () => {
  it('groups by asker, in the order of the newest request of each', () => {
    expect(shape(groupRows(rows('b3', 'a2', 'b1'), '', []))).toEqual(['b: b3 b1', 'a: a2'])
  })

  it('keeps the groups that are shown in place, and puts new groups before them', () => {
    expect(shape(groupRows(rows('c9', 'a8', 'b3', 'a2'), '', known('b', 'a')))).toEqual([
      'c: c9',
      'b: b3',
      'a: a8 a2',
    ])
  })

  it('puts strangers after all others, also new ones, unless the list mixes askers', () => {
    expect(shape(groupRows(rows('s9', 'b3', 'a2'), '', []))).toEqual(['b: b3', 'a: a2', 's: s9'])
    expect(shape(groupRows(rows('s9', 'b3'), '', known('b')))).toEqual(['b: b3', 's: s9'])
    expect(shape(groupRows(rows('s9', 'b8'), 'risk', []))).toEqual(['high: s9', 'low: b8'])
  })

  it('puts own agents before all others, also when another asks later', () => {
    expect(shape(groupRows(rows('s9', 'b8', 'm3', 'a2'), '', []))).toEqual([
      'm: m3',
      'b: b8',
      'a: a2',
      's: s9',
    ])
    expect(shape(groupRows(rows('b8', 'm3'), '', known('m')))).toEqual(['m: m3', 'b: b8'])
  })

  it('keeps a stranger in place who is known by now', () => {
    const accepted = rows('s9', 'b3').map((row) => ({ ...row, isKnown: true }))
    const groups = groupRows(accepted, '', [...known('b'), { key: 's', isStranger: true }])
    expect(groups.map(({ key, isStranger }) => [key, isStranger])).toEqual([
      ['b', false],
      ['s', true],
    ])
  })

  it('leaves out groups without rows', () => {
    expect(shape(groupRows(rows('a1'), '', known('b', 'a')))).toEqual(['a: a1'])
  })
})

describe('firstLines', () => {
  const groups = groupRows(rows('a5', 'a4', 'b3', 'b2', 'c1'), '', [])
  const firstOf = (max: number) =>
    firstLines(groups, max).map(
      ({ group, rows: found }) => `${group.key}: ${found.map(({ id }) => id).join(' ')}`,
    )

  it('cuts the last group, and leaves out groups that have no line left for a row', () => {
    expect(firstOf(5)).toEqual(['a: a5 a4', 'b: b3'])
    expect(firstOf(4)).toEqual(['a: a5 a4'])
    expect(firstOf(3)).toEqual(['a: a5 a4'])
  })

  it('returns all rows of a short list', () => {
    expect(firstOf(8)).toEqual(['a: a5 a4', 'b: b3 b2', 'c: c1'])
  })

  it('keeps the whole group beside its first rows', () => {
    expect(firstLines(groups, 2)[0]?.group.rows).toHaveLength(2)
  })
})

describe('groupRows of a sorted list', () => {
  it('groups by risk, whoever asks, in the given order', () => {
    expect(shape(groupRows(rows('b9', 'a9', 'b3', 'a1'), 'risk', known('low')))).toEqual([
      'high: b9 a9',
      'low: b3 a1',
    ])
  })

  it('keeps the order of the time left in one group', () => {
    expect(shape(groupRows(rows('b3', 'a9', 'b1'), 'expiry', []))).toEqual(['expiry: b3 a9 b1'])
  })
})

describe('neighbourOf', () => {
  const ids = ['a', 'b', 'c']
  it.each([
    ['a', 1, 'b'],
    ['c', 1, null],
    ['a', -1, null],
    [null, 1, 'a'],
    [null, -1, 'c'],
    ['gone', 1, 'a'],
  ] as const)('returns, from %s in steps of %i, %s', (id, step, expected) => {
    expect(neighbourOf(ids, id, step, new Set(ids))).toBe(expected)
  })

  it('skips rows that are not open', () => {
    expect(neighbourOf(ids, 'a', 1, new Set(['a', 'c']))).toBe('c')
  })
})

describe('rangeOf', () => {
  it('returns all rows between two rows, in both directions', () => {
    expect(rangeOf(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(rangeOf(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(rangeOf(['a', 'b'], 'gone', 'b')).toEqual(['b'])
  })
})
