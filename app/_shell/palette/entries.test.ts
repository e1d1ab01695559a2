import { describe, expect, it } from 'vitest'
import { entriesOf, findEntries } from './entries'
import type { PaletteRequest } from './entry'

const request = (change: Partial<PaletteRequest> = {}): PaletteRequest => ({
  id: 'PECK-1',
  asker: 'AGT-1',
  ownerId: 'DUCK-0001',
  name: '“Scout”',
  operator: 'Mallory',
  owner: {},
  words: 'Send an email',
  value: 'home@pond.example',
  risk: 'low',
  isFirstContact: false,
  isFreeText: false,
  costsRepeatedly: false,
  needsPasskey: false,
  ...change,
})
const dataOf = (requests: PaletteRequest[], isPasskeyRequired = false) => ({
  isPasskeyRequired,
  isBuilder: false,
  isPaused: false,
  agents: [{ id: 'AGT-9', name: 'Home helper', status: 'bonded' }],
  requests,
})
const entries = entriesOf(dataOf([request()]))
const textsOf = (found: typeof entries) =>
  found.map(({ label, quoted }) => (quoted === undefined ? label : `${label} | ${quoted}`))
const found = (text: string, all = entries) => textsOf(findEntries(all, text))

describe('findEntries', () => {
  it('shows the pages before anything is typed', () => {
    expect(new Set(findEntries(entries, ' ').map(({ group }) => group))).toEqual(new Set(['Pages']))
  })

  it('finds pages, then agents, then requests', () => {
    expect(found('home')).toEqual(['Home', 'Home helper', 'Send an email | home@pond.example'])
  })

  it('needs all words, in the label or beside it', () => {
    expect(found('email scout')).toEqual(['Send an email | home@pond.example'])
    expect(found('email heron')).toEqual([])
  })

  it('puts labels that begin with the text first', () => {
    expect(found('a').slice(0, 3)).toEqual(['Allowed', 'Activity', 'Agents'])
    expect(found('theme d')).toEqual(['Theme: dark'])
  })

  it('leads a request to the inbox, where it is selected', () => {
    expect(entries.at(-1)?.act).toEqual({ command: { kind: 'select', id: 'PECK-1' } })
  })

  // security: asker-14
  it('never puts words of an asker before an action of the same words', () => {
    const name = '“Approve 2 low-risk requests”'
    const all = entriesOf(
      dataOf([request({ name, value: 'Approve 2 low' }), request({ id: 'PECK-2', name })]),
    )
    const [first, ...others] = findEntries(all, 'approve 2 low')
    expect([first?.label, first?.quoted]).toEqual(['Approve 2 low-risk requests', undefined])
    expect(others.every(({ label }) => !label.startsWith('Approve 2 low'))).toBe(true)
  })
})

describe('the actions', () => {
  const actions = (requests: PaletteRequest[], isPasskeyRequired = false) =>
    entriesOf(dataOf(requests, isPasskeyRequired)).filter(({ group }) => group === 'Actions')
  const waiting = [
    request({ id: 'low-1' }),
    request({ id: 'low-2' }),
    request({ id: 'new', isFirstContact: true }),
    request({ id: 'passkey', needsPasskey: true }),
    request({ id: 'high', risk: 'high', asker: 'AGT-2', operator: 'you', ownerId: 'DUCK-ME' }),
  ]
  const idsOf = (label: string, all = actions(waiting)) => {
    const act = all.find((entry) => entry.label === label && entry.quoted === undefined)?.act
    return act !== undefined && 'command' in act && act.command.kind === 'decide' ? act.command.ids : null
  }

  it('approve only requests that can be approved together, and reject all', () => {
    expect(idsOf('Approve 2 low-risk requests')).toEqual(['low-1', 'low-2'])
    expect(idsOf('Reject 4 low-risk requests')).toEqual(['low-1', 'low-2', 'new', 'passkey'])
    expect(idsOf('Reject 1 high-risk request')).toEqual(['high'])
    expect(idsOf('Reject all 5 requests')).toHaveLength(5)
    expect(actions(waiting).filter(({ label }) => label.startsWith('Approve'))).toHaveLength(2)
  })

  it('tell people and agents with the same names apart', () => {
    const twins = ['1', '2'].map((end) =>
      request({ id: `PECK-${end}`, asker: `AGT-${end}`, ownerId: `DUCK-000${end}`, operator: 'Teal' }),
    )
    const entries = entriesOf(dataOf(twins)).filter(({ quoted }) => quoted !== undefined)
    const shown = entries.map(({ label, quoted, hint }) => `${label} ${quoted} ${hint}`)
    expect(new Set(shown).size).toBe(shown.length)
  })

  it('approve nothing when the person wants a passkey for each approval', () => {
    expect(actions(waiting, true).filter(({ label }) => label.startsWith('Approve'))).toEqual([])
  })

  it('block people who ask, with their names set apart, and never the viewer', () => {
    const blocks = actions(waiting).filter(({ label }) => label === 'Block')
    expect(blocks.map(({ quoted, hint }) => [quoted, hint])).toEqual([
      ['“Mallory”', '…0001, 4 waiting. Asks first'],
    ])
  })

  it('pause everything at once, and lead to the room that resumes it', () => {
    const actOf = (isPaused: boolean) =>
      entriesOf({ ...dataOf([]), isPaused }).find(({ key }) => key === 'pause')?.act
    expect(actOf(false)).toEqual({ pauses: 'everything' })
    expect(actOf(true)).toEqual({ href: '/allowed' })
  })
})
