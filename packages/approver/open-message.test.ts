import { describe, expect, it } from 'vitest'
import {
  account,
  agent,
  approverOrigin,
  decideMessage,
  enrolMessage,
  type Faults,
  issuer,
  owner,
  state,
} from '@/lib/fixtures/approver-messages'
import { emptyMemory, type Memory, withAnswer, withPasskey } from './memory'
import { fragmentMax, fragmentOf } from './messages'
import { enrolledService, openMessage, type Place } from './open-message'
import { type RefusalReason, Refused } from './refused'

const now = new Date()
const enrolled = withPasskey(emptyMemory, { issuer, duckling_id: account }, 'AAAA', now)

const placeWith = (facts: Partial<Place> = {}): Place => ({
  origin: approverOrigin,
  isFramed: false,
  memory: enrolled,
  now,
  ...facts,
})
const hashOf = (message: object) => `#${fragmentOf(message as never)}`

/** Returns why a fragment is refused, or the type of what it opens. */
function resultOf(fragment: string, facts: Partial<Place> = {}): RefusalReason | 'home' | 'enrol' | 'decide' {
  try {
    return openMessage(fragment, placeWith(facts)).type
  } catch (error) {
    if (error instanceof Refused) return error.reason
    throw error
  }
}
const decided = (faults: Faults = {}, facts: Partial<Place> = {}) =>
  resultOf(hashOf(decideMessage(faults)), facts)
const enrolling = (message: object, facts: Partial<Place> = {}) =>
  resultOf(hashOf(enrolMessage(message)), facts)

describe('the place of the page', () => {
  it.each(['', '#'])('opens the start page for the fragment %j', (fragment) => {
    expect(resultOf(fragment)).toBe('home')
  })

  it('refuses to work in a frame', () => {
    expect(decided({}, { isFramed: true })).toBe('frame')
    expect(resultOf('', { isFramed: true })).toBe('frame')
  })

  it.each([
    'http://approve.example',
    'http://localhost:4800',
    'http://127.0.0.1:4800',
    'http://evil-localhost',
  ])('refuses to work at %s', (origin) => expect(resultOf('', { origin })).toBe('insecure'))

  it.each(['https://approve.example', 'http://approver.localhost'])('works at %s', (origin) => {
    expect(resultOf('', { origin })).toBe('home')
  })
})

describe('the message', () => {
  it('is refused when the fragment is too long', () => {
    expect(resultOf(`#${'A'.repeat(fragmentMax + 1)}`)).toBe('too_long')
  })

  it.each([
    ['no base64url', '#%7B%7D'],
    ['padding', '#e30='],
    ['no JSON', '#e3'],
    ['no UTF-8', '#_w'],
    ['a list', hashOf([])],
    ['another type', hashOf({ ...enrolMessage(), type: 'sign_in' })],
    ['another version', hashOf({ ...enrolMessage(), version: 2 })],
    ['a member more', hashOf({ ...enrolMessage(), note: '' })],
    ['a hidden param', hashOf({ ...decideMessage(), params: {} })],
    ['a member less', hashOf({ ...enrolMessage(), challenge: undefined })],
    ['a short state', hashOf({ ...enrolMessage(), state: 'c3RhdGU' })],
    ['a short challenge', hashOf({ ...enrolMessage(), challenge: 'AAAA' })],
    ['no passkeys', hashOf({ ...decideMessage(), credential_ids: [] })],
    ['values without display', hashOf({ ...decideMessage(), values: { params: [] } })],
    [
      'half a character',
      `#${btoa(JSON.stringify(enrolMessage({ duckling_id: '\ud800' }))).replaceAll('=', '')}`,
    ],
    ['lists in lists', `#${btoa(`${'['.repeat(5000)}${']'.repeat(5000)}`).replaceAll('=', '')}`],
  ])('is refused with %s', (_, fragment) => {
    expect(resultOf(fragment)).toBe('unreadable')
  })

  it('is refused when it was answered before', () => {
    const memory = withAnswer(enrolled, { issuer, state })
    expect(decided({}, { memory })).toBe('answered')
    expect(enrolling({}, { memory })).toBe('answered')
  })
})

describe('the service', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://pond.example/1',
    'http://pond.example',
    'https://nadia@pond.example',
    'https://pond.example/#a',
    'https://pond.example/?a',
    'https://POND.example',
    'https://pönd.example',
    'https://pond.example:443',
    ' https://pond.example',
    'https:\\\\pond.example',
    'pond.example',
    '',
  ])('is refused at the address %j', (address) => {
    expect(enrolling({ issuer: address, return: `${address}/approver` })).toBe('service_address')
  })

  it.each([
    'http://localhost:3000',
    'http://pond.localhost',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://pond.example/beak',
  ])('is accepted at the address %s', (address) => {
    expect(enrolling({ issuer: address, return: `${new URL(address).origin}/approver` })).toBe('enrol')
  })

  it.each([
    'https://evil.example/approver',
    'https://pond.example.evil.example/',
    'https://pond.example@evil.example/',
    'https://nadia@pond.example/approver',
    'https://pond.example:8443/approver',
    'http://pond.example/approver',
    'javascript:alert(1)',
    'blob:https://pond.example/1',
    'https://pond.example/approver#e30',
    '/approver',
    '//pond.example/approver',
  ])('is refused when the answer would go to %j', (address) => {
    expect(enrolling({ return: address })).toBe('return_address')
    expect(decided({ message: { return: address } })).toBe('return_address')
  })

  it.each([
    ['http://approver.localhost:3000', approverOrigin],
    ['http://pond.approver.localhost:3000', approverOrigin],
    ['https://approve.example', 'https://approve.example:8443'],
    ['https://approve.example.', 'https://approve.example'],
    ['https://a.b.approve.example', 'https://approve.example'],
  ])('is refused at %s, because its pages may use the passkeys of %s', (address, origin) => {
    expect(enrolling({ issuer: address, return: `${address}/approver` }, { origin })).toBe('same_site')
  })

  it.each(['https://example', 'https://xapprove.example', 'https://pond.example'])(
    'is accepted at %s for the approver at https://approve.example',
    (address) => {
      const origin = 'https://approve.example'
      expect(enrolling({ issuer: address, return: `${address}/approver` }, { origin })).toBe('enrol')
    },
  )
})

describe('the enrolment', () => {
  it('is needed for a decision', () => {
    expect(decided({}, { memory: emptyMemory })).toBe('not_enrolled')
    const other = withPasskey(
      emptyMemory,
      { issuer: 'https://lake.example', duckling_id: account },
      'AAAA',
      now,
    )
    expect(decided({}, { memory: other })).toBe('not_enrolled')
  })

  it('is needed for the account of the statement', () => {
    expect(decided({ facts: { target_duckling_id: owner } })).toBe('other_account')
  })

  it('lets refused messages go back only to a service that is set up here', () => {
    const fragment = hashOf(decideMessage({ facts: { version: 2 } }))
    expect(enrolledService(fragment, placeWith())?.service.host).toBe('pond.example')
    expect(enrolledService(fragment, placeWith({ memory: emptyMemory }))).toBeNull()
    const elsewhere = hashOf(decideMessage({ message: { return: 'https://evil.example/' } }))
    expect(enrolledService(elsewhere, placeWith())).toBeNull()
  })
})

describe('the statement', () => {
  it('is opened with its sentence and values', () => {
    const opened = openMessage(hashOf(decideMessage()), placeWith())
    expect(opened).toMatchObject({
      type: 'decide',
      service: { host: 'pond.example', domain: 'pond.example' },
      request: {
        display: { sentence: 'pay an invoice, once, within 1 hour of the approval' },
        statement: { requester: { agent_id: agent } },
        differs: [],
        message: 'For the reeds.',
      },
    })
  })

  it('can be a rejection', () => {
    const code = null
    expect(decided({ facts: { decision: 'reject', code } })).toBe('decide')
  })

  const text = decideMessage().statement_text
  it.each([
    ['not JSON', `${text}x`],
    ['null', 'null'],
    ['with spaces', JSON.stringify(JSON.parse(text), null, 2)],
    ['with a member twice', text.replace('{', '{"action":"read:profile",')],
    ['in another order', text.replace(/^\{(.*),("version":3)\}$/, '{$2,$1}')],
    ['with a byte order mark', `\ufeff${text}`],
  ])('is refused when the text is %s', (_, statement_text) => {
    expect(statement_text).not.toBe(text)
    expect(decided({ message: { statement_text } })).toBe('statement')
  })

  it.each<[string, Faults['facts'], RefusalReason]>([
    ['of version 2', { version: 2 }, 'statement_version'],
    ['of version 4', { version: 4 }, 'statement_version'],
    ['of another type', { type: 'beak.passkey.endorsement' }, 'statement'],
    ['with a member more', { note: '' } as never, 'statement'],
    ['of another service', { issuer: 'https://lake.example' }, 'other_issuer'],
    ['of the same service with another path', { issuer: `${issuer}/` }, 'other_issuer'],
    ['for no approver', { approver: null }, 'other_approver'],
    ['for another approver', { approver: 'https://approve.example' }, 'other_approver'],
    ['for another port of the approver', { approver: 'http://approver.localhost:4801' }, 'other_approver'],
    ['that decides nothing', { decision: null, decided_by: null }, 'undecided'],
    ['that nobody decides', { decided_by: null }, 'undecided'],
    ['that a rule decides', { decided_by: { type: 'rule', rule_id: 'RULE-1' } }, 'undecided'],
    ['that rejects with a code', { decision: 'reject' }, 'statement'],
    ['with an action in words', { action: 'pay nothing, once. Press the button' }, 'action'],
    ['with HTML in the action', { action: '<b>read</b>:profile' }, 'action'],
    ['that expired', { expires_at: new Date(now.getTime() - 1).toISOString() }, 'expired'],
    ['that expires now', { expires_at: now.toISOString() }, 'expired'],
    ['with an end that is no time', { expires_at: 'never' }, 'statement'],
  ])('is refused %s', (_, facts, reason) => {
    expect(decided({ facts })).toBe(reason)
  })
})

describe('the values', () => {
  const { values } = decideMessage()
  const [first, ...others] = values.params
  const withParams = (params: object[]) => ({ message: { values: { ...values, params } } })

  it.each<[string, Faults, RefusalReason]>([
    ['a param is left out', withParams(others), 'params_missing'],
    ['all params are left out', withParams([]), 'params_missing'],
    ['a value differs', withParams([{ ...first, value: 1 }, ...others]), 'values_differ'],
    ['a name differs', withParams([{ ...first, name: 'limit' }, ...others]), 'values_differ'],
    ['a salt differs', withParams([{ ...first, salt: 'AAAA' }, ...others]), 'values_differ'],
    ['a param is twice', withParams([first ?? {}, ...values.params]), 'values_differ'],
    [
      'a param is more than in the statement',
      withParams([...values.params, { salt: 'AAAA', name: 'x', value: 1 }]),
      'values_differ',
    ],
    [
      'the display differs',
      { message: { values: { ...values, display: { ...values.display, shown: {} } } } },
      'values_differ',
    ],
  ])('are refused when %s', (_, faults, reason) => {
    expect(decided(faults)).toBe(reason)
  })

  it('are refused when the display has another version than the statement', () => {
    expect(decided({ shown: { version: 2 }, facts: { display: decidedDisplay(1) } })).toBe('values_differ')
  })

  const decidedDisplay = (version: number) => ({
    ...(JSON.parse(decideMessage({ shown: { version: 2 } }).statement_text).display as object),
    version,
  })
})

describe('what the service displayed', () => {
  const requestOf = (faults: Faults) => {
    const opened = openMessage(hashOf(decideMessage(faults)), placeWith())
    if (opened.type !== 'decide') throw new Error('not a decision')
    return opened.request
  }

  it('leads to the declared types when it is what this page makes', () => {
    const request = requestOf({ params: { note: 'short' }, types: { note: 'text' } })
    expect(request.display.values).toMatchObject([{ name: 'note', type: 'text' }])
    expect(request.differs).toEqual([])
  })

  const instead = 'read your profile, once, within 1 hour of the approval'
  it.each([
    ['another sentence', { sentence: instead }, { name: null, text: instead }],
    [
      'another value',
      { values: [{ name: 'amount', type: 'money', text: '€1.00' }] },
      { name: 'amount', text: '€1.00' },
    ],
    ['no value', { values: [] }, { name: 'amount', text: 'not displayed' }],
    ['another version', { version: 1 }, { name: null, text: 'the same texts in another form or order' }],
    ['a member more', { note: '' }, { name: null, text: 'the same texts in another form or order' }],
  ])('is reported when it has %s', (_, shown, difference) => {
    const request = requestOf({ params: { amount: 4200 }, shown })
    expect(request.differs).toEqual([difference])
    expect(request.display.sentence).toContain('pay an invoice')
    expect(request.display.values).toMatchObject([{ name: 'amount', text: '4,200.00 (no currency named)' }])
  })

  it('is reported without secrets', () => {
    const values = [{ name: 'password', type: 'text', text: 'correct horse' }]
    const { differs } = requestOf({ params: { password: 'another horse' }, shown: { values } })
    expect(differs).toEqual([{ name: 'password', text: '••••••' }])
  })

  it('names the risk of the action and the values', () => {
    const { risk } = requestOf({ action: 'delete:database', params: { name: 'production' } })
    expect(risk.level).toBe('high')
    expect(risk.reasons.length).toBeGreaterThan(0)
  })

  it('keeps params with names that objects inherit', () => {
    const params = JSON.parse('{"__proto__":{"amount":1},"constructor":"x"}')
    const request = requestOf({ params })
    expect(request.display.values.map(({ name }) => name).sort()).toEqual(['__proto__', 'constructor'])
  })
})

it('reads 1,000 enrolments in a memory', () => {
  const memory = Array.from({ length: 1000 }).reduce<Memory>(
    (before, _, index) =>
      withPasskey(before, { issuer: `https://${index}.example`, duckling_id: account }, 'AAAA', now),
    enrolled,
  )
  expect(decided({}, { memory })).toBe('decide')
})
