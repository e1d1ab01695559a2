import { entryText } from '@beak/proofs/log/entry'
import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { type EndedThing, endedDigest } from '@/lib/domain/tlog/enqueue'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, provedContext } from '@/lib/factories/ducklings'
import { readClock } from '@/lib/kernel/runtime/clock'
import { applyEnded } from './apply-ended'

const markOf = (thing: EndedThing) => ({
  kind: 'ended' as const,
  data: entryText('ended', endedDigest(thing)),
})

async function keyOf(agentId: string): Promise<string> {
  return (await db().beakKey.findFirstOrThrow({ where: { activeFor: agentId } })).id
}

it('ends each thing once when 50 calls apply the same marks', async () => {
  const owner = await aDuckling()
  const { agentId } = await anAgent(owner)
  const { cert_id } = await issueCertificate(await owner.context())
  const marks = [markOf({ key_id: await keyOf(agentId) }), markOf({ cert_id })]
  const done = await Promise.all(Array.from({ length: 50 }, () => applyEnded(marks, readClock())))
  const sum = (count: 'keys' | 'certificates') => done.reduce((total, again) => total + again[count], 0)
  expect([sum('keys'), sum('certificates')]).toEqual([1, 1])
  const events = await db().auditEvent.groupBy({
    by: ['action'],
    where: { ducklingId: owner.id, action: { in: ['key.retired', 'cert.revoked'] } },
    _count: true,
    orderBy: { action: 'asc' },
  })
  expect(events).toEqual([
    { action: 'cert.revoked', _count: 1 },
    { action: 'key.retired', _count: 1 },
  ])
})

it('leaves a key that the owner makes at the same time', async () => {
  const owner = await aDuckling()
  const context = await provedContext(owner)
  for (let round = 0; round < 10; round++) {
    const { agentId } = await anAgent(owner)
    const marks = [markOf({ key_id: await keyOf(agentId) })]
    const [rotated] = await Promise.all([rotateKey(context, agentId, 90), applyEnded(marks, readClock())])
    expect(await keyOf(agentId)).toBe(rotated.key_id)
  }
})
