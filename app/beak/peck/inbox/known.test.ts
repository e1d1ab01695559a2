/** Known and unknown askers apart: in the lists of the inbox, in the counts, and in what rings. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aPhone } from '@/lib/fixtures/browser-push'
import { aChannel } from '@/lib/fixtures/channels'
import { drainOutbox } from '@/lib/worker/start'

const inbox = async ({ token }: ADuckling, query = '') =>
  (await call(`GET /beak/peck/inbox${query}`, { token })).body
const idsOf = (body: { items: { peck_id: string }[] }) => body.items.map(({ peck_id }) => peck_id)
const badgeOf = async ({ token }: ADuckling): Promise<number> =>
  (await call('GET /beak/profile/overview', { token })).body.known_pecks

/** A stranger with the name of the target. */
async function anImpostor(target: ADuckling): Promise<ADuckling> {
  const { displayName } = await db().duckling.findUniqueOrThrow({ where: { id: target.id } })
  const impostor = await aDuckling()
  await db().duckling.update({ where: { id: impostor.id }, data: { displayName } })
  return impostor
}

/** Asks with a fresh invitation of the target. Returns the id of the request. */
async function askInvited(from: ADuckling, target: ADuckling): Promise<string> {
  const invitation = await call('POST /beak/invitation/create', { token: target.token, body: {} })
  const body = { target: invitation.body.url, action: 'read:calendar', scope: 'limited' as const }
  const asked = await call('POST /beak/peck/request', { token: from.token, body })
  expect(asked.status).toBe(200)
  return asked.body.peck_id
}

const approve = ({ token }: ADuckling, peckId: string) =>
  call('POST /beak/peck/approve', { token, body: { peck_id: peckId } })

async function aMixedInbox() {
  const target = await aDuckling()
  const [own, friend, stranger] = [await anAgent(target), await aDuckling(), await aDuckling()]
  await anApprovedPeck(friend, target)
  const mine = await aPeck(own, target, { action: 'read:calendar' })
  const known = await aPeck(friend, target, { action: 'read:notes' })
  const strange = await aPeck(stranger, target)
  const ofAgent = await aPeck(await anAgent(stranger), target, { action: 'read:notes' })
  const other = await aPeck(await aDuckling(), target)
  return { target, known: [known, mine], unknown: [other, ofAgent, strange] }
}

const ids = (pecks: { peck_id: string }[]) => pecks.map(({ peck_id }) => peck_id)

describe('the two parts of the first list', () => {
  it('have each waiting request once, and count an unknown person with all agents once', async () => {
    const { target, known, unknown } = await aMixedInbox()
    const counts = { unknown: { people: 2, pecks: 3 }, strangers: 0 }
    const all = await inbox(target)
    expect(all).toMatchObject({ total: 5, ...counts })
    expect(idsOf(all)).toEqual([...ids(unknown), ...ids(known)])
    const first = await inbox(target, '?list=known')
    expect(first).toMatchObject({ total: 2, matching: 2, ...counts })
    expect(idsOf(first)).toEqual(ids(known))
    const second = await inbox(target, '?list=unknown')
    expect(second).toMatchObject({ total: 3, ...counts })
    expect(idsOf(second)).toEqual(ids(unknown))
    expect(await inbox(target, '?list=known&q=notes')).toMatchObject({ matching: 1, ...counts })
  })

  it('move the requests of an asker when something of that asker is approved', async () => {
    const { target, unknown } = await aMixedInbox()
    expect((await approve(target, unknown[0]?.peck_id ?? '')).status).toBe(200)
    expect(await inbox(target)).toMatchObject({ total: 4, unknown: { people: 1, pecks: 2 } })
    expect((await approve(target, unknown[1]?.peck_id ?? '')).status).toBe(200)
    // The person who owns that agent is another asker.
    expect(await inbox(target)).toMatchObject({ unknown: { people: 1, pecks: 1 } })
  })

  it('have no part for an empty inbox', async () => {
    expect(await inbox(await aDuckling(), '?list=unknown')).toMatchObject({
      items: [],
      total: 0,
      unknown: { people: 0, pecks: 0 },
    })
  })
})

describe('the counts', () => {
  it('of the badge and of the icon leave out unknown askers', async () => {
    const { target } = await aMixedInbox()
    expect(await badgeOf(target)).toBe(2)
    const phone = await aPhone()
    await aChannel(target, { kind: 'push', subscription: phone.subscription })
    await aPeck(await anAgent(target), target, { action: 'read:diary' })
    await drainOutbox()
    expect(phone.messages().at(-1)?.payload).toMatchObject({ notification: { app_badge: '3' } })
  })
})

describe('an impostor', () => {
  // security: asker-37
  it('is not among the known with an invitation or as a contact, until something of exactly this asker is approved', async () => {
    const target = await aDuckling()
    const [impostor, guest] = [await anImpostor(target), await aDuckling()]
    const invited = await askInvited(guest, target)
    const posed = await askInvited(impostor, target)
    const known = async () => idsOf(await inbox(target, '?list=known'))
    expect(await known()).toEqual([invited])
    const always = { asker: impostor.id, always: true }
    const changed = await call('POST /beak/contact/update', { token: target.token, body: always })
    expect(changed.status).toBe(200)
    expect(await known()).toEqual([invited])
    expect(await badgeOf(target)).toBe(1)
    const ofAgent = await aPeck(await anAgent(impostor), target)
    const proof = await call('POST /beak/peck/approve', { token: target.token, body: { peck_id: posed } })
    expect(proof.status).toBe(200)
    const next = await aPeck(impostor, target, { action: 'read:notes' })
    expect(await known()).toEqual([next.peck_id, invited])
    expect(idsOf(await inbox(target, '?list=unknown'))).toEqual([ofAgent.peck_id])
  })

  // security: asker-37
  it('with an invitation rings nowhere, as another guest does', async () => {
    const target = await aDuckling()
    const phone = await aPhone()
    await aChannel(target, { kind: 'push', subscription: phone.subscription })
    const posed = await askInvited(await anImpostor(target), target)
    await drainOutbox()
    expect(phone.messages()).toEqual([])
    const invited = await askInvited(await aDuckling(), target)
    await drainOutbox()
    expect(phone.messages()).toHaveLength(1)
    const rung = await db().peck.findMany({ where: { id: { in: [posed, invited] }, rings: true } })
    expect(rung.map(({ id }) => id)).toEqual([invited])
  })
})
