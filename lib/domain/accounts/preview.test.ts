import { describe, expect, it } from 'vitest'
import { aFullAccount } from '@/lib/fixtures/accounts'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { readClock } from '@/lib/kernel/clock'
import { closeAccount } from './close'
import { previewClosing } from './preview'

describe('previewClosing', () => {
  it('returns the counts of what the closing then ends', async () => {
    const { owner } = await aFullAccount()
    const before = await previewClosing(owner.id, readClock())
    const { touched } = await closeAccount(await owner.context())
    const after = Object.fromEntries(Object.entries(touched).map(([name, ids]) => [name, ids.length]))
    expect(before).toEqual(after)
    expect(Object.values(before).every((count) => count > 0)).toBe(true)
  })

  it('counts only the session of an account that has nothing else', async () => {
    const { id } = await aDuckling({ tier: 'T0' })
    const { sessions, ...others } = await previewClosing(id, readClock())
    expect(sessions).toBe(1)
    expect(Object.values(others).every((count) => count === 0)).toBe(true)
  })
})
