/** The built server and two witnesses, each a process of its own. */
import { afterEach, expect, it } from 'vitest'
import { parseCheckpoint } from '@/lib/domain/tlog/checkpoint'
import { parseNote } from '@/lib/domain/tlog/note'
import { aWitness, signersOf } from '@/lib/fixtures/witnesses'
import { parseVerifierKey } from '@/lib/kernel/verifier-key'
import { aPerson, eventually, startServer, stopAll } from './server'

afterEach(stopAll)

it('serves a checkpoint with the cosignatures of both witnesses', async () => {
  const first = await startServer()
  await aPerson(first, 'Wilma')
  const read = async (path: string) => (await fetch(`${first.url}/.well-known/tlog/${path}`)).text()
  const vkeys = await eventually(async () => {
    const text = await read('vkeys')
    return text.includes('+') ? text.trim().split('\n') : null
  })
  const logs = vkeys.flatMap((vkey) => parseVerifierKey(vkey) ?? [])
  const witnesses = await Promise.all(
    ['one.example/w', 'two.example/w'].map((name) => aWitness({ logs, name })),
  )
  expect(await first.stop()).toBe(0)
  // The server knows its witnesses from its next start on, as an operator would do it.
  const second = await startServer({
    dataDir: first.dataDir,
    port: Number(new URL(first.url).port),
    env: { TLOG_WITNESSES: witnesses.map(({ vkey, url }) => `${vkey}@${url}`).join(' ') },
  })
  const known = [...logs, ...witnesses.map(({ key }) => key)]
  // A checkpoint is signed in one turn of the worker and cosigned in the next, 10 s later.
  const expected = [...vkeys, ...witnesses.map(({ vkey }) => vkey)].sort()
  await expect
    .poll(async () => signersOf(await read('checkpoint'), known).sort(), { timeout: 40_000, interval: 200 })
    .toEqual(expected)
  const note = await read('checkpoint')
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
  expect(checkpoint?.origin).toBe(`${new URL(second.url).host}/.well-known/tlog`)
  for (const { url } of witnesses)
    expect(await (await fetch(url)).text()).toContain(`${checkpoint?.origin}: ${checkpoint?.size} entries`)
}, 120_000)
