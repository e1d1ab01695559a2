import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { allEnded } from './lane'

it('throws the first error only after every work has ended', async () => {
  const ended: string[] = []
  let end: () => void = () => undefined
  const slow = new Promise<void>((resolve) => (end = resolve)).then(() => void ended.push('slow'))
  const all = allEnded([Promise.reject(new Error('lost')), slow]).catch((error: Error) => {
    ended.push(error.message)
  })
  await setImmediate()
  expect(ended).toEqual([])
  end()
  await all
  expect(ended).toEqual(['slow', 'lost'])
})
