import { expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { logVerifierKeys } from '@/lib/domain/tlog/origin'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { rotateKeys, rotateLogKey } from '@/lib/infrastructure/keys/rotate'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { listKeys } from './replace-signatures'

const stateOf = (list: string, kid: string) =>
  list
    .split('\n')
    .find((line) => line.startsWith(kid))
    ?.replace(/^.*?Z {2}/, '')

it('shows which key signs, which one was replaced, and which one signs later', async () => {
  const now = readClock()
  const older = await rotateKeys(secondsAfter(now, 2 * hour))
  const newer = await rotateKeys(secondsAfter(now, 3 * hour))
  // Other tests that use the same database must not find future keys.
  onTestFinished(async () => {
    await db().signingKey.deleteMany({ where: { kid: { in: [older, newer] } } })
  })
  const at = async (seconds: number) => {
    const list = await listKeys(secondsAfter(now, seconds))
    return [stateOf(list, older), stateOf(list, newer)]
  }
  const from = secondsAfter(now, 3 * hour + 120).toISOString()
  expect(await at(3 * hour)).toEqual(['signs', `published, signs from ${from}`])
  expect(await at(4 * hour)).toEqual(['published, a newer key signs', 'signs'])
})

it('shows the verifier keys that the log publishes, without the right secret', async () => {
  const now = readClock()
  const { kid } = await logKey(now)
  const newKid = await rotateLogKey(now)
  const { secret } = config()
  onTestFinished(() => replaceConfig({ secret }))
  replaceConfig({ secret: Buffer.alloc(32) })
  const list = await listKeys(now)
  expect([stateOf(list, kid), stateOf(list, newKid)]).toEqual(['retired', 'signs'])
  const shown = [...list.matchAll(/verifier key: (.*)/g)].map(([, vkey]) => vkey)
  // The list also has distrusted keys of other tests.
  expect(shown).toEqual(expect.arrayContaining(await logVerifierKeys()))
})
