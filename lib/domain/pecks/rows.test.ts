import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { forget } from '@/lib/kernel/runtime/singleton'

/** Returns the statements on pecks and grant tokens: what each begins with, and its table. */
async function statementsOnPecks(work: () => Promise<unknown>): Promise<string[]> {
  const texts = (await statementsOf(work)).map((text) =>
    text.replace(/\s+/g, ' ').replaceAll('( ', '(').trim(),
  )
  return texts.filter((text) => /"(Peck|GrantToken)"/.test(text)).map((text) => text.slice(0, 20))
}

it('reads a peck once for each request, with its grant token, and writes without a read', async () => {
  // Another test may have deleted or distrusted the key that this process would sign with. Reading the keys again is not counted here.
  forget('signing-keys')
  await prepareKeys()
  const [owner, target] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(owner)
  const body = { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' }
  let peckId = ''
  const asked = await statementsOnPecks(async () => {
    peckId = (await call('POST /beak/peck/request', { key: agent.beakKey, body })).body.peck_id
  })
  // The peck and its grant token are inserted together with other rows.
  expect(asked).toEqual(['SELECT r."displayNam', 'WITH i0 AS (INSERT I'])
  const approved = await statementsOnPecks(() =>
    call('POST /beak/peck/approve', { token: target.token, body: { peck_id: peckId } }),
  )
  expect(approved).toEqual([
    'WITH p AS (SELECT * ',
    'WITH i0 AS (INSERT I',
    'UPDATE "Peck" SET "r',
    'WITH known AS (UPDAT',
  ])
  let grantToken = ''
  const read = await statementsOnPecks(async () => {
    const seen = await call(`GET /beak/peck/status?peck_id=${peckId}`, { key: agent.beakKey })
    grantToken = seen.body.grant_token
  })
  expect(read).toEqual(['WITH p AS (SELECT p.'])
  const consumed = await statementsOnPecks(() =>
    call('POST /beak/peck/consume', { body: { grant_token: grantToken } }),
  )
  expect(consumed).toEqual(['WITH p AS (SELECT t.', 'UPDATE "Peck" SET "u'])
})
