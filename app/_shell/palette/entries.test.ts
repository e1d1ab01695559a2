import { describe, expect, it } from 'vitest'
import { entriesOf, findEntries } from './entries'

const entries = entriesOf({
  agents: [{ id: 'AGT-1', name: 'Home helper', status: 'bonded' }],
  requests: [{ id: 'PECK-1', action: 'send:email', asker: 'Scout', value: 'home@pond.example' }],
})
const found = (text: string) => findEntries(entries, text).map(({ label }) => label)

describe('findEntries', () => {
  it('shows the pages before anything is typed', () => {
    expect(new Set(findEntries(entries, ' ').map(({ group }) => group))).toEqual(new Set(['Pages']))
  })

  it('finds pages, then agents, then requests', () => {
    expect(found('home')).toEqual(['Home', 'Home helper', 'send an email: home@pond.example'])
  })

  it('needs all words, in the label or beside it', () => {
    expect(found('email scout')).toEqual(['send an email: home@pond.example'])
    expect(found('email heron')).toEqual([])
  })

  it('puts labels that begin with the text first', () => {
    expect(found('a').slice(0, 3)).toEqual(['Agents', 'Audit log', 'Account'])
  })

  it('leads a request to the inbox, where it is selected', () => {
    expect(entries.at(-1)?.href).toBe('/pecks?peck=PECK-1')
  })
})
