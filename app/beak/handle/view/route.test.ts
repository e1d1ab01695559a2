import { describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, aHandle, joinedIn } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { statementsOf } from '@/lib/fixtures/statements'

const view = (handle: string, credential: { token?: string; key?: string } = {}) =>
  call(`GET /beak/handle/view?handle=${handle}`, credential)

async function withHandle(options: { hidden?: true } = {}): Promise<ADuckling & { handle: string }> {
  const owner = await aDuckling()
  const handle = aHandle()
  await call('POST /beak/handle/claim', { token: owner.token, body: { handle } })
  if (options.hidden)
    await call('POST /beak/profile/update', { token: owner.token, body: { directory_visible: false } })
  return { ...owner, handle }
}

const ask = (
  target: string,
  credential: { token?: string; key?: string },
  field: 'target' | 'target_duckling_id' = 'target_duckling_id',
) => call('POST /beak/peck/request', { ...credential, body: { [field]: target, action: 'read:calendar' } })

describe('200', () => {
  it('shows exactly what the public page shows, for any spelling in capital letters', async () => {
    const owner = await withHandle()
    const { id: cert_id } = await issueCertificate(await owner.context()).then(({ cert_id: id }) => ({ id }))
    const { agentId } = await anAgent(owner, { name: 'Scout' })
    await anAgent(owner, { name: 'Fledgling', bonded: false })
    const stopped = await anAgent(owner, { name: 'Stopped' })
    await call('POST /beak/agent/suspend', { token: owner.token, body: { agent_id: stopped.agentId } })
    const { status, body } = await view(owner.handle.toUpperCase())
    expect([status, body]).toEqual([
      200,
      {
        handle: owner.handle,
        duckling_id: owner.id,
        display_name: owner.displayName,
        trust_tier: 'T1',
        certified: true,
        cert_id,
        since: await joinedIn(owner.id),
        listed: true,
        agents: [{ agent_id: agentId, agent_name: 'Scout', agent_type: 'assistant' }],
        url: expect.stringMatching(new RegExp(`/@${owner.handle}$`)),
      },
    ])
    await db().duckling.update({ where: { id: owner.id }, data: { fullName: '李雷' } })
    expect((await view(owner.handle)).body.full_name).toBe('李雷')
  })

  it('is part of the directory, of the check of a certificate, and of the search for exact handles and names', async () => {
    const owner = await withHandle()
    const { cert_id } = await issueCertificate(await owner.context())
    const fullName = `Zoë ${owner.displayName}`
    await db().duckling.update({ where: { id: owner.id }, data: { fullName } })
    const search = async (q: string, more = '') =>
      (await call(`GET /beak/spaceducks?q=${encodeURIComponent(q)}${more}`)).body.items.map(
        ({ handle }: { handle: string }) => handle,
      )
    for (const q of [
      owner.handle,
      `@${owner.handle.toUpperCase()}`,
      owner.displayName.toLowerCase(),
      fullName,
    ])
      expect(await search(q)).toEqual([owner.handle])
    expect(await search(owner.handle, '&tier=T2')).toEqual([])
    for (const q of [
      owner.handle.slice(0, -1),
      owner.displayName.slice(0, -1),
      `${owner.handle}%`,
      '%',
      owner.id,
    ])
      expect(await search(q)).toEqual([])
    const check = () => call(`GET /beak/cert/verify?cert_id=${cert_id}`)
    expect((await check()).body.handle).toBe(owner.handle)
    await call('POST /beak/profile/update', { token: owner.token, body: { directory_visible: false } })
    expect((await check()).body).not.toHaveProperty('handle')
    for (const q of [owner.handle, owner.displayName, fullName]) expect(await search(q)).toEqual([])
  })

  it('pages through ducklings with the same name', async () => {
    const displayName = `Same${aHandle().slice(5)}`
    for (const _ of [1, 2, 3]) await aDuckling({ displayName })
    const first = await call(`GET /beak/spaceducks?q=${displayName}&limit=2`)
    const rest = await call(`GET /beak/spaceducks?q=${displayName}&limit=2&cursor=${first.body.next_cursor}`)
    const ids = [...first.body.items, ...rest.body.items].map(({ duckling_id }) => duckling_id)
    expect([first.body.items.length, rest.body.next_cursor, new Set(ids).size]).toEqual([2, null, 3])
  })

  it('shows an unlisted person to the person, and to those whom the person has answered, with their agents', async () => {
    const owner = await withHandle({ hidden: true })
    const [approved, rejected, throughAgent] = [await aDuckling(), await aDuckling(), await aDuckling()]
    const agent = await anAgent(throughAgent)
    await anApprovedPeck(approved, owner)
    const refused = await aPeck(rejected, owner)
    await rejectPeck(await owner.context(), refused.peck_id, 'No')
    await anApprovedPeck(agent, owner)
    const credentials = [
      { token: owner.token },
      { token: approved.token },
      { token: rejected.token },
      { token: throughAgent.token },
      { key: agent.beakKey },
    ]
    for (const credential of credentials)
      expect((await view(owner.handle, credential)).body).toMatchObject({
        duckling_id: owner.id,
        listed: false,
      })
    expect((await ask(`@${owner.handle}`, { key: agent.beakKey })).body.target_duckling_id).toBe(owner.id)
  })
})

describe('a block of an unlisted person', () => {
  // security: asker-12
  it('ends the view of somebody whom the person has rejected or approved, also through agents and pecks', async () => {
    const owner = await withHandle({ hidden: true })
    const stalker = await aDuckling()
    const agent = await anAgent(stalker)
    const { peck_id } = await anApprovedPeck(agent, owner)
    await rejectPeck(await owner.context(), (await aPeck(stalker, owner)).peck_id, 'No')
    const status = async () =>
      (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: stalker.token })).body
    expect((await status()).target_handle).toBe(owner.handle)
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: stalker.id } })
    for (const credential of [{ token: stalker.token }, { key: agent.beakKey }])
      expect((await view(owner.handle, credential)).status).toBe(404)
    expect(await status()).not.toHaveProperty('target_handle')
    await call('POST /beak/peck/unblock', { token: owner.token, body: { duckling_id: stalker.id } })
    expect((await view(owner.handle, { token: stalker.token })).status).toBe(200)
  })

  it('changes nothing for a listed person, so that it is not told', async () => {
    const owner = await withHandle()
    const asker = await aDuckling()
    const { peck_id } = await anApprovedPeck(asker, owner)
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: asker.id } })
    const { body } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token })
    expect(body.target_handle).toBe(owner.handle)
    expect((await view(owner.handle, { token: asker.token })).status).toBe(200)
  })
})

describe('404', () => {
  /** A refusal without what differs between any two requests. */
  const refusalOf = ({ status, body: { request_id: _, ...body } }: Awaited<ReturnType<typeof view>>) => [
    status,
    body,
  ]

  // security: stranger-25
  it('returns the same answer for an unlisted person and an unknown handle, with the same statements', async () => {
    const owner = await withHandle({ hidden: true })
    const stranger = await aDuckling()
    // A waiting request is no answer.
    await aPeck(stranger, owner)
    const agent = await anAgent(stranger)
    for (const credential of [{}, { token: stranger.token }, { key: agent.beakKey }]) {
      const answers: unknown[] = []
      const statements: string[][] = []
      for (const handle of [owner.handle, aHandle()])
        statements.push(
          await statementsOf(async () => void answers.push(refusalOf(await view(handle, credential)))),
        )
      expect(answers[0]).toEqual(answers[1])
      expect(answers[0]).toMatchObject([404, { code: 'E4005', reason: 'handle_not_found' }])
      expect(statements[0]).toEqual(statements[1])
    }
  })

  // security: stranger-25
  it.each(['target', 'target_duckling_id', 'block', 'unblock'])(
    'hides an unlisted person from %s as well',
    async (path) => {
      const owner = await withHandle({ hidden: true })
      const { token } = await aDuckling()
      const refusal = async (handle: string) =>
        refusalOf(
          path === 'target' || path === 'target_duckling_id'
            ? await ask(`@${handle}`, { token }, path)
            : await call(`POST /beak/peck/${path}`, { token, body: { duckling_id: `@${handle}` } }),
        )
      const hidden = await refusal(owner.handle)
      expect(hidden).toEqual(await refusal(aHandle()))
      expect(hidden[0]).toBe(404)
    },
  )

  it('gives a person at T0, a closed account and an old handle no page', async () => {
    const owner = await withHandle()
    await db().duckling.update({ where: { id: owner.id }, data: { listed: false, trustTier: 'T0' } })
    expect((await view(owner.handle)).status).toBe(404)
    const other = await withHandle()
    await call('POST /beak/handle/claim', { token: other.token, body: { handle: aHandle() } })
    expect((await view(other.handle)).status).toBe(404)
    const { token } = await aDuckling()
    expect((await ask(`@${other.handle}`, { token })).body.reason).toBe('duckling_not_found')
  })
})

describe('400', () => {
  // security: stranger-26
  it.each(['', '@@mallard', 'ma', '..%2F..%2Fetc', 'mallard%00', 'a'.repeat(500), '%F0%9F%A6%86'])(
    'refuses %j as malformed',
    async (handle) => {
      expect((await callRaw(`GET /beak/handle/view?handle=${handle}`)).status).toBe(400)
    },
  )
})

describe('a handle as the target', () => {
  it('works for requests of people and agents, for blocks and for unblocking', async () => {
    const owner = await withHandle()
    const [asker, person] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(asker)
    expect((await ask(`@${owner.handle.toUpperCase()}`, { key: agent.beakKey })).body).toMatchObject({
      target_duckling_id: owner.id,
      status: 'pending',
    })
    // The handle and the id name the same person, so this is the same request.
    expect((await ask(owner.id, { key: agent.beakKey })).body.repeated).toBe(true)
    for (const target of [owner.id, `@${owner.handle}`])
      expect((await ask(target, { key: agent.beakKey }, 'target')).body).toMatchObject({
        target_duckling_id: owner.id,
        repeated: true,
      })
    for (const path of ['block', 'unblock'])
      expect(
        (
          await call(`POST /beak/peck/${path}`, {
            token: person.token,
            body: { duckling_id: `@${owner.handle}` },
          })
        ).body,
      ).toMatchObject({ duckling_id: owner.id, blocked: path === 'block' })
  })

  // security: stranger-25
  it('names an unlisted person who asked the caller, or whom the caller approved, for blocks and pauses', async () => {
    const asker = await withHandle({ hidden: true })
    const [target, friend, stranger] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await aPeck(asker, target)
    await anApprovedPeck(await anAgent(asker), friend)
    const refer = (path: string, { token }: ADuckling) =>
      call(`POST /beak/peck/${path}`, { token, body: { duckling_id: `@${asker.handle}` } })
    for (const path of ['unpause', 'block', 'unblock'])
      for (const caller of [target, friend])
        expect((await refer(path, caller)).body).toMatchObject({ duckling_id: asker.id })
    await call('POST /beak/peck/block', { token: stranger.token, body: { duckling_id: asker.id } })
    await aPeck(asker, stranger)
    for (const path of ['unpause', 'block', 'unblock']) expect((await refer(path, stranger)).status).toBe(404)
  })

  it('does not show a blocked asker that it is blocked', async () => {
    const owner = await withHandle()
    const { token, id } = await aDuckling()
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: id } })
    expect((await ask(`@${owner.handle}`, { token })).body).toMatchObject({ status: 'pending' })
    expect((await view(owner.handle, { token })).status).toBe(200)
    expect((await call('GET /beak/peck/inbox', { token: owner.token })).body.items).toEqual([])
  })

  it('refuses a request to oneself', async () => {
    const owner = await withHandle()
    expect((await ask(`@${owner.handle}`, { token: owner.token })).body.reason).toBe('peck_to_self')
    const blocked = await call('POST /beak/peck/block', {
      token: owner.token,
      body: { duckling_id: `@${owner.handle}` },
    })
    expect(blocked.status).toBe(400)
  })
})
