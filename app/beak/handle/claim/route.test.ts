import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { purge } from '@/lib/domain/retention/purge'
import { aDuckling, aHandle } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { handleSkeleton } from '@/lib/kernel/request/handle'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const line = 'POST /beak/handle/claim'
const year = 365 * day

const claim = (token: string, handle: string) => call(line, { token, body: { handle } })
const release = (token: string) => call('POST /beak/handle/release', { token, body: {} })
const view = (handle: string) => call(`GET /beak/handle/view?handle=${handle}`)

/** Moves what an account did with handles into the past. */
async function age(ducklingId: string, seconds: number): Promise<void> {
  await db().run`
    UPDATE "Handle" SET "claimedAt" = "claimedAt" - make_interval(secs => ${seconds}::float8),
      "releasedAt" = "releasedAt" - make_interval(secs => ${seconds}::float8) WHERE "ducklingId" = ${ducklingId}`
  await db().run`
    UPDATE "Duckling" SET "handleClaims" = ARRAY(SELECT at - make_interval(secs => ${seconds}::float8) FROM unnest("handleClaims") at)
    WHERE "id" = ${ducklingId}`
}

describe('200', () => {
  it('gives the handle, which the profile and everybody see, and mails and records it', async () => {
    const owner = await aDuckling()
    const handle = aHandle()
    const { status, body } = await claim(owner.token, handle.toUpperCase())
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        handle,
        url: expect.stringMatching(new RegExp(`/@${handle}$`)),
        next_handle_change_at: null,
      },
    ])
    expect((await call('GET /beak/profile', { token: owner.token })).body).toMatchObject({
      handle,
      next_handle_change_at: null,
    })
    expect((await view(handle)).body.duckling_id).toBe(owner.id)
    const [event] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'handle.claimed' },
    })
    expect(event).toMatchObject({ outcome: 'success', metadata: { handle } })
    const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'sensitive_change')
    expect(mail?.text).toContain(`Your handle is "@${handle}" now.`)
  })

  it('allows the first handle and two changes, and the next change 365 days after the first of the two', async () => {
    const { token, id } = await aDuckling()
    for (const _ of [1, 2, 3]) expect((await claim(token, aHandle())).status).toBe(200)
    const refused = await claim(token, aHandle())
    expect([refused.status, refused.body.reason]).toEqual([429, 'handle_change_throttled'])
    const { body: profile } = await call('GET /beak/profile', { token })
    expect(profile.next_handle_change_at).toBe(refused.body.next_allowed_at)
    expect(refused.body.retry_after).toBeGreaterThan(year - 60)
    await age(id, year - 60)
    expect((await claim(token, aHandle())).status).toBe(429)
    await age(id, 60)
    // Both changes were made a year ago: two more are possible, and no third.
    for (const _ of [1, 2]) expect((await claim(token, aHandle())).status).toBe(200)
    expect((await claim(token, aHandle())).status).toBe(429)
  })

  it('changes nothing for the present handle, even when no change is left', async () => {
    const { token, id } = await aDuckling()
    const last = aHandle()
    for (const handle of [aHandle(), aHandle(), last, last])
      expect((await claim(token, handle)).status).toBe(200)
    expect(await db().auditEvent.count({ where: { ducklingId: id, action: 'handle.claimed' } })).toBe(3)
  })

  it('lets the owner change the spelling, and take back a released handle', async () => {
    const { token } = await aDuckling()
    const handle = aHandle()
    const spelled = handle.replaceAll('-', '')
    await claim(token, handle)
    expect((await claim(token, spelled)).body.handle).toBe(spelled)
    expect((await view(handle)).status).toBe(404)
    await release(token)
    expect((await claim(token, handle)).body.handle).toBe(handle)
    // The release counts as no change, and the return does.
    expect((await claim(token, aHandle())).status).toBe(429)
  })
})

describe('409', () => {
  const takenBy = async (handle: string) => {
    const { status, body } = await claim((await aDuckling()).token, handle)
    return [status, body.code, body.reason]
  }
  const taken = [409, 'E4008', 'handle_taken']

  // security: stranger-22
  it('refuses a taken handle and its look-alikes', async () => {
    const core = aHandle().slice(5)
    await claim((await aDuckling()).token, `${core}-il0`)
    const lookAlikes = [
      `${core}-il0`,
      `${core}il0`,
      `${core}-i1o`,
      `${core}-ilo`,
      `${core.slice(0, 4)}-${core.slice(4)}il0`,
    ]
    for (const lookAlike of lookAlikes) expect(await takenBy(lookAlike)).toEqual(taken)
  })

  // security: stranger-24
  it('refuses an old handle for a year to everybody but its former owner, and gives it away afterwards', async () => {
    const owner = await aDuckling()
    const [old, released] = [aHandle(), aHandle()]
    await claim(owner.token, old)
    await claim(owner.token, released)
    await release(owner.token)
    for (const handle of [old, released]) {
      expect((await view(handle)).status).toBe(404)
      expect(await takenBy(handle)).toEqual(taken)
    }
    await age(owner.id, year - 60)
    await purge(readClock())
    expect(await takenBy(old)).toEqual(taken)
    await age(owner.id, 60)
    expect((await takenBy(old))[0]).toBe(200)
    await purge(readClock())
    expect(await db().handle.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect((await takenBy(released))[0]).toBe(200)
  })

  // security: stranger-24
  it('refuses the handle of a closed account for a year, and no longer knows whose it was', async () => {
    const owner = await aDuckling()
    const [old, handle] = [aHandle(), aHandle()]
    await claim(owner.token, old)
    await claim(owner.token, handle)
    await call('POST /beak/account/delete', { token: owner.token, body: {} })
    for (const lost of [old, handle]) {
      expect((await view(lost)).status).toBe(404)
      expect(await takenBy(lost)).toEqual(taken)
    }
    const skeletons = [old, handle].map(handleSkeleton)
    const rows = await db().handle.findMany({ where: { skeleton: { in: skeletons } } })
    expect(rows.map(({ name, ducklingId }) => [name, ducklingId])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })).toMatchObject({
      handle: null,
      handleClaims: [],
    })
    await db().handle.updateMany({
      where: { skeleton: { in: skeletons } },
      data: { releasedAt: secondsAfter(readClock(), -year) },
    })
    expect((await takenBy(handle))[0]).toBe(200)
  })

  // security: stranger-23
  it('gives one handle to one of 50 simultaneous claims of it and its look-alikes', async () => {
    const core = aHandle().slice(5)
    const people = await Promise.all(Array.from({ length: 50 }, () => aDuckling()))
    const answers = await Promise.all(
      people.map(({ token }, index) => claim(token, `${core}-${['ll', '1l', 'l1', '11'][index % 4]}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    const winner = people[answers.findIndex(({ status }) => status === 200)]
    const holders = await db().duckling.findMany({ where: { handle: { startsWith: core } } })
    expect(holders.map(({ id }) => id)).toEqual([winner?.id])
  })

  // security: stranger-24
  it('lets one account make three of 20 simultaneous claims, and keeps one handle', async () => {
    const { token, id } = await aDuckling()
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(token, aHandle())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await db().handle.count({ where: { ducklingId: id, releasedAt: null } })).toBe(1)
  })

  it('lets two accounts that want each other’s handle keep their own', async () => {
    const people = await Promise.all([aDuckling(), aDuckling()])
    const handles = [aHandle(), aHandle()] as const
    for (const [index, { token }] of people.entries()) await claim(token, handles[index] ?? '')
    const swaps = await Promise.all(people.map(({ token }, index) => claim(token, handles[1 - index] ?? '')))
    expect(swaps.map(({ status }) => status)).toEqual([409, 409])
    expect((await view(handles[0])).body.duckling_id).toBe(people[0].id)
  })
})

describe('400', () => {
  it.each(['@@mallard', 'ab', '../admin', 'signin', 'the-beak', 'supp0rt', 'duck-01jd000000000000'])(
    'refuses %s and names the field',
    async (handle) => {
      const { status, body } = await claim((await aDuckling()).token, handle)
      expect([status, body.errors?.map(({ field }: { field: string }) => field)]).toEqual([400, ['handle']])
    },
  )
})

describe('POST /beak/handle/release', () => {
  it('ends the public page, keeps the handle in the export, and is 404 without a handle', async () => {
    const { token, id } = await aDuckling()
    const handle = aHandle()
    await claim(token, handle)
    expect((await release(token)).body).toMatchObject({
      handle: null,
      url: null,
      next_handle_change_at: null,
    })
    expect((await view(handle)).status).toBe(404)
    const again = await release(token)
    expect([again.status, again.body.reason]).toEqual([404, 'no_handle'])
    const { body } = await call('GET /beak/account/export', { token })
    expect([body.profile.handle, body.account.handle_claims]).toEqual([null, [expect.any(String)]])
    expect(body.handles).toEqual([
      { handle, claimed_at: expect.any(String), released_at: expect.any(String) },
    ])
    const events = await db().auditEvent.findMany({ where: { ducklingId: id, action: 'handle.released' } })
    expect(events.map(({ outcome }) => outcome)).toEqual(['success', 'denied'])
  })
})
