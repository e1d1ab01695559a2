import { describe, expect, it } from 'vitest'
import { webhookKinds } from '@/lib/infrastructure/events/kinds'
import { kindGroups, kindMeaning, kindsWords } from './kinds'

describe('kinds of event', () => {
  it('are all offered, once, and each says what happened', () => {
    expect(kindGroups.flatMap(({ kinds }) => kinds).sort()).toEqual([...webhookKinds].sort())
    expect(webhookKinds.filter((kind) => kindMeaning(kind) === '')).toEqual([])
  })

  it('are named while they are few', () => {
    expect(kindsWords([])).toBe('Every kind of event')
    expect(kindsWords(['peck.sent', 'peck.approved'])).toBe('peck.sent, peck.approved')
    expect(kindsWords(['a', 'b', 'c', 'd'])).toBe('4 kinds of event')
  })
})
