import { describe, expect, it } from 'vitest'
import { findHiddenEntries, findOwnEntryFaults } from './check-own-entries'
import type { OwnEntry } from './kept-proof'

const digest = 'a'.repeat(64)
const signedAt = new Date('2027-01-02T04:00:00.000Z')
const long = '2026-01-02T03:00:00.000Z'

const event = (seq: number, facts: object = {}) => ({
  seq,
  occurred_at: long,
  outcome: 'success',
  targets: [],
  metadata: {},
  ...facts,
})
const entry = (facts: Partial<OwnEntry> = {}): OwnEntry => ({
  index: 7,
  kind: 'decided',
  digest,
  passkey_id: null,
  subject_id: 'PECK-1',
  ...facts,
})
const messages = async (events: ReturnType<typeof event>[], entries: OwnEntry[]) =>
  (await findOwnEntryFaults({ events, entries }, signedAt, null)).map(({ message }) => message)

describe('findOwnEntryFaults', () => {
  it('accepts an entry that an event names, and events that name none', async () => {
    expect(await messages([event(1), event(2, { metadata: { log_digest: digest } })], [entry()])).toEqual([])
  })

  it.each(['decided', 'used', 'passkey_enrolled', 'passkey_removed'] as const)(
    'finds an entry of the kind %s that no event names',
    async (kind) => {
      const passkey_id = kind.startsWith('passkey') ? 'PKY-1' : null
      const [message] = await messages([event(1)], [entry({ kind, passkey_id })])
      expect(message).toContain('no event of the audit log names it')
    },
  )

  it('does not count an event that was refused', async () => {
    const denied = event(1, { outcome: 'denied', metadata: { log_digest: digest } })
    expect(await messages([denied], [entry()])).toHaveLength(1)
  })

  it('finds an event whose entry is not listed, unless the event is so new that the log may not have it', async () => {
    const named = { metadata: { log_digest: digest } }
    const [message] = await messages([event(3, named)], [])
    expect(message).toContain('Event 3 names an entry of the log that the service does not list')
    expect(await messages([event(3, { ...named, occurred_at: '2027-01-02T03:55:00.000Z' })], [])).toEqual([])
  })

  it('accepts a passkey from before the log, and the revocations that came with the end of an account', async () => {
    const registered = event(1, { targets: [{ type: 'passkey', id: 'PKY-1' }] })
    const old = entry({ kind: 'passkey_enrolled', passkey_id: 'PKY-1', subject_id: null })
    expect(await messages([registered], [old, entry({ kind: 'revoked' })])).toEqual([])
  })

  it('finds a list that is missing, although an event of a decision names an entry', () => {
    const named = event(4, { targets: [{ type: 'peck', id: 'PECK-1' }], metadata: { log_digest: digest } })
    expect(findHiddenEntries([event(1), named])?.message).toContain('does not list these entries')
    const passkey = event(4, { targets: [{ type: 'passkey', id: 'PK-1' }], metadata: { log_digest: digest } })
    expect(findHiddenEntries([event(1), passkey])).toBeNull()
  })

  it('gives no longer time to a file that hides when its checkpoint was signed', async () => {
    const named = event(3, { metadata: { log_digest: digest } })
    expect(await findOwnEntryFaults({ events: [named], entries: [] }, null, null)).toHaveLength(1)
  })

  it('names at most some of many faults', async () => {
    const entries = Array.from({ length: 40 }, (_, index) => entry({ index }))
    const found = await messages([], entries)
    expect(found.length).toBeLessThan(20)
    expect(found.at(-1)).toContain('more entries')
  })
})
