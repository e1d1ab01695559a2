import { describe, expect, it } from 'vitest'
import { webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { kindGroups, kindsText } from './read'

describe('kinds of events', () => {
  it('are each offered once, with a description', () => {
    expect(kindGroups.flatMap(({ kinds }) => kinds).sort()).toEqual([...webhookKinds].sort())
    expect(webhookKinds.filter((kind) => webhookMessages[kind].when() === '')).toEqual([])
  })

  it('are listed by name when there are at most three', () => {
    expect(kindsText([])).toBe('All events')
    expect(kindsText(['peck.sent', 'peck.approved'])).toBe('peck.sent, peck.approved')
    expect(kindsText(['a', 'b', 'c', 'd'])).toBe('4 kinds of events')
  })
})
