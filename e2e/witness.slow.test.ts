/** The built server and two witnesses, each in a separate process. */
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { parseNote } from '@beak/proofs/log/note'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { signersOf, startWitness } from '@/lib/fixtures/witness-process'
import { expect, test } from './own-server'
import { aPerson } from './people'
import { eventually } from './server'

test('serves a checkpoint with the cosignatures of both witnesses', async ({ start }) => {
  test.setTimeout(120_000)
  const first = await start()
  await aPerson(first, 'Wilma')
  const read = async (path: string) => (await fetch(`${first.url}/.well-known/tlog/${path}`)).text()
  const vkeys = await eventually(async () => {
    const text = await read('vkeys')
    return text.includes('+') ? text.trim().split('\n') : null
  })
  const logs = vkeys.flatMap((vkey) => parseVerifierKey(vkey) ?? [])
  const witnesses = await Promise.all(
    ['one.example/w', 'two.example/w'].map((name) => startWitness({ logs, name })),
  )
  expect(await first.stop()).toBe(0)
  // The server reads its witnesses at the next start, as after a change by an operator.
  const second = await start({
    dataDir: first.dataDir,
    port: Number(new URL(first.url).port),
    env: { TLOG_WITNESSES: witnesses.map(({ vkey, url }) => `${vkey}@${url}`).join(' ') },
  })
  const known = [...logs, ...witnesses.map(({ key }) => key)]
  // The worker signs a checkpoint in one turn and gets the cosignatures in the next turn, 10 s later.
  const expected = [...vkeys, ...witnesses.map(({ vkey }) => vkey)].sort()
  await expect
    .poll(async () => (await signersOf(await read('checkpoint'), known)).sort(), {
      timeout: 40_000,
      intervals: [200],
    })
    .toEqual(expected)
  const note = await read('checkpoint')
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
  expect(checkpoint?.origin).toBe(`${new URL(second.url).host}/.well-known/tlog`)
  for (const { url } of witnesses)
    expect(await (await fetch(url)).text()).toContain(`${checkpoint?.origin}: ${checkpoint?.size} entries`)
  for (const witness of witnesses) await witness.stop()
})
