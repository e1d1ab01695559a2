import { describe, expect, it } from 'vitest'
import {
  emptyMemory,
  findAsker,
  findEnrolment,
  isAnswered,
  readMemory,
  type Store,
  withAnswer,
  withApproval,
  withoutEnrolment,
  withPasskey,
  writeMemory,
} from './memory'

const issuer = 'https://pond.example'
const [mine, other] = [
  { issuer, duckling_id: 'DUCK-1' },
  { issuer, duckling_id: 'DUCK-2' },
]
const [first, later] = [new Date('2026-11-22T10:00:00.000Z'), new Date('2026-11-23T10:00:00.000Z')]
const asker = { issuer, duckling_id: 'DUCK-3', agent_id: 'AGT-1' }

function aStore(text: string | null = null): Store {
  let kept = text
  return {
    getItem: () => kept,
    setItem: (_, value) => {
      kept = value
    },
  }
}

describe('the memory of the browser', () => {
  it('returns what was stored', () => {
    const store = aStore()
    const memory = withPasskey(emptyMemory, mine, 'AAAA', first)
    expect(writeMemory(store, memory)).toBe(true)
    expect(readMemory(store)).toEqual(memory)
  })

  it.each([null, '', '{', '[]', '{"enrolments":[{}],"askers":[],"answered":[]}'])(
    'counts the unreadable text %j as nothing',
    (text) => expect(readMemory(aStore(text))).toEqual(emptyMemory),
  )

  it('reports a browser that refuses to store', () => {
    const throwing: Store = {
      getItem: () => {
        throw new Error('denied')
      },
      setItem: () => {
        throw new Error('denied')
      },
    }
    expect(writeMemory(throwing, emptyMemory)).toBe(false)
    expect(writeMemory({ getItem: () => null, setItem: () => undefined }, emptyMemory)).toBe(false)
    expect(readMemory(throwing)).toEqual(emptyMemory)
  })
})

describe('an enrolment', () => {
  it('belongs to one account at one service', () => {
    const memory = withPasskey(emptyMemory, mine, 'AAAA', first)
    expect(findEnrolment(memory, issuer, 'DUCK-1')).toMatchObject({ credential_ids: ['AAAA'] })
    expect(findEnrolment(memory, issuer, 'DUCK-2')).toBeNull()
    expect(findEnrolment(memory, 'https://lake.example', 'DUCK-1')).toBeNull()
  })

  it('keeps its beginning when another passkey is added', () => {
    const memory = withPasskey(withPasskey(emptyMemory, mine, 'AAAA', first), mine, 'BBBB', later)
    expect(memory.enrolments).toEqual([
      { ...mine, credential_ids: ['AAAA', 'BBBB'], since: first.toISOString() },
    ])
  })

  it('takes the askers of the service with it when it is the last one there', () => {
    const both = withPasskey(withPasskey(emptyMemory, mine, 'AAAA', first), other, 'BBBB', first)
    const known = withApproval(both, asker, first)
    const [one, two] = known.enrolments
    if (one === undefined || two === undefined) throw new Error('two enrolments are expected')
    const left = withoutEnrolment(known, one)
    expect(left.enrolments).toEqual([two])
    expect(findAsker(left, asker)).not.toBeNull()
    expect(withoutEnrolment(left, two)).toMatchObject({ enrolments: [], askers: [] })
  })
})

describe('a known asker', () => {
  it('has the number of approvals and the last one', () => {
    const memory = withApproval(withApproval(emptyMemory, asker, first), asker, later)
    expect(findAsker(memory, asker)).toMatchObject({ approvals: 2, last_at: later.toISOString() })
  })

  it.each([
    { agent_id: null },
    { agent_id: 'AGT-2' },
    { duckling_id: 'DUCK-4' },
    { issuer: 'https://lake.example' },
  ])('is another one with %j', (change) => {
    expect(findAsker(withApproval(emptyMemory, asker, first), { ...asker, ...change })).toBeNull()
  })

  it('makes room for new ones by removing the oldest', () => {
    let memory = withApproval(emptyMemory, asker, first)
    for (let index = 0; index < 2000; index++)
      memory = withApproval(memory, { ...asker, agent_id: `AGT-new-${index}` }, later)
    expect(memory.askers).toHaveLength(2000)
    expect(findAsker(memory, asker)).toBeNull()
  })
})

it('remembers answered messages by service and state', () => {
  const memory = withAnswer(emptyMemory, { issuer, state: 'one' })
  expect(isAnswered(memory, { issuer, state: 'one' })).toBe(true)
  expect(isAnswered(memory, { issuer, state: 'two' })).toBe(false)
  expect(isAnswered(memory, { issuer: 'https://lake.example', state: 'one' })).toBe(false)
})
