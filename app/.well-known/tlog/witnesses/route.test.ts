import { parseLogPolicy } from '@beak/proofs/log/policy-file'
import { formatVerifierKey } from '@beak/proofs/log/verifier-key'
import { afterEach, describe, expect, it } from 'vitest'
import { callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { logOrigin, logVerifierKeysOf } from '@/lib/domain/tlog/origin'
import { appendNow, pendingEntries } from '@/lib/fixtures/tlog'
import { aNewNoteSigner } from '@/lib/fixtures/witnesses'
import { config, useConfig } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'

const before = config()
afterEach(() => useConfig(before))

async function readPolicy(): Promise<string[]> {
  const response = await callRaw('GET /.well-known/tlog/witnesses')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  return (await response.text()).split('\n')
}

describe('200', () => {
  it('returns the keys of the log and no quorum when no witness is configured', async () => {
    await pendingEntries(1)
    await appendNow()
    // More than one when a test before this one rotated the key.
    const logs = (await logVerifierKeysOf(await logOrigin())).map((vkey) => `log ${vkey}`)
    expect(await readPolicy()).toEqual([...logs, 'quorum none', ''])
  })

  it('is a policy that our clients accept, also after the log got a new name', async () => {
    const origin = `${await logOrigin()}/2`
    await db().logName.create({ data: { number: 2, origin, createdAt: readClock() } })
    const { logs, quorum } = parseLogPolicy((await readPolicy()).join('\n'))
    await db().logName.deleteMany()
    expect(logs.map(({ vkey }) => vkey.split('+')[0])).toEqual(logs.map(() => origin))
    expect(quorum).toBeNull()
  })

  it('returns every witness and a quorum of all of them', async () => {
    const witnesses = ['one.example/w', 'two.example/w'].map((name) => {
      const { key } = aNewNoteSigner(name, 'cosignature')
      return { key, vkey: formatVerifierKey(key), url: `https://${name}` }
    })
    useConfig({ tlogWitnesses: witnesses })
    const [one, two] = witnesses
    expect((await readPolicy()).slice(-5)).toEqual([
      `witness w1 ${one?.vkey} https://one.example/w`,
      `witness w2 ${two?.vkey} https://two.example/w`,
      'group witnesses all w1 w2',
      'quorum witnesses',
      '',
    ])
  })
})
