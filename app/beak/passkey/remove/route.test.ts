/** Removing the passkey of a lost device together with its sessions. The proof that a removal needs is tested with all sensitive changes (proof.test.ts). */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling, through } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'

async function signIn({ authenticator }: APasskey): Promise<{ token: string; device_token: string }> {
  const { body } = await call('POST /beak/passkey/login/options')
  return (await call('POST /beak/passkey/login', { body: { credential: authenticator.get(body) } })).body
}

const alive = async (token: string) => (await call('GET /beak/profile', { token })).status === 200

/** An owner with two passkeys, signed in on the laptop with one and on the phone with the other. */
async function anOwner() {
  const owner = await aDuckling()
  const laptop = await aPasskey(owner, { name: 'Laptop' })
  await confirmWithPasskey(owner, laptop.authenticator)
  const first = await signIn(laptop)
  // Added on the phone, in a session of its own.
  const onPhone = await signIn(laptop)
  const phone = await aPasskey(through(owner, onPhone.token), { name: 'Phone' })
  return { owner, laptop, phone, here: first.token, onPhone: onPhone.token }
}

const remove = (token: string, passkeyId: string, more: object = {}) =>
  call('POST /beak/passkey/remove', { token, body: { passkey_id: passkeyId, ...more } })
const lose = (token: string, passkeyId: string) => remove(token, passkeyId, { end_sessions: true })

describe('a lost device', () => {
  it('is signed out with its passkey, and nothing else is', async () => {
    const { owner, laptop, phone, here } = await anOwner()
    const [lost, again] = [(await signIn(phone)).token, (await signIn(phone)).token]
    const elsewhere = (await signIn(laptop)).token
    const { items } = (await call('GET /beak/session/list', { token: here })).body
    expect(items.map(({ passkey_id }: { passkey_id: string }) => passkey_id)).toEqual(
      expect.arrayContaining([phone.id, laptop.id]),
    )
    const { status, body } = await lose(here, phone.id)
    expect([status, body.passkey_id, body.ended_sessions]).toEqual([200, phone.id, 2])
    expect(await Promise.all([lost, again, elsewhere, here].map(alive))).toEqual([false, false, true, true])
    const kinds = (await sentTo(owner.email)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['passkey_removed', 'sensitive_change']))
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: { in: ['passkey.removed', 'session.revoked'] } },
    })
    expect(events.map(({ outcome }) => outcome)).toEqual(['success', 'success'])
  })

  it('is signed out also when its passkey was only added there, and its known device is forgotten', async () => {
    const { phone, here } = await anOwner()
    // As if the session, in which the passkey was added, had begun with a code.
    const sessionId = (await db().passkey.findUniqueOrThrow({ where: { id: phone.id } })).sessionId ?? ''
    await db().session.update({ where: { id: sessionId }, data: { passkeyId: null } })
    const devices = () => db().deviceToken.count({ where: { sessionId } })
    expect(await devices()).toBe(1)
    expect((await lose(here, phone.id)).body.ended_sessions).toBe(1)
    expect(await devices()).toBe(0)
  })

  it('loses the devices that it approved and that have not signed in yet', async () => {
    const { phone, here } = await anOwner()
    const lost = (await signIn(phone)).token
    const { body: waiting } = await call('POST /beak/device/authorize', { body: { client_name: 'Thief' } })
    await call('POST /beak/device/approve', { token: lost, body: { user_code: waiting.user_code } })
    expect((await lose(here, phone.id)).body.ended_sessions).toBe(2)
    const { status, body } = await call('POST /beak/device/token', {
      body: { device_code: waiting.device_code },
    })
    expect([status, body.current_status]).toEqual([409, 'denied'])
  })

  it('does not end the session of the caller, whose passkey it may be', async () => {
    const { phone } = await anOwner()
    const own = (await signIn(phone)).token
    const { status, body } = await lose(own, phone.id)
    expect([status, body.ended_sessions]).toEqual([200, 0])
    expect(await alive(own)).toBe(true)
  })

  it('keeps everything when the passkey belongs to somebody else, or the proof is missing', async () => {
    const { owner, phone, here } = await anOwner()
    const lost = (await signIn(phone)).token
    const other = await anOwner()
    expect((await lose(other.here, phone.id)).status).toBe(404)
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: new Date(0) } })
    expect((await lose(here, phone.id)).status).toBe(403)
    expect(await alive(lost)).toBe(true)
    expect((await remove(lost, phone.id, { end_sessions: 'yes' })).status).toBe(400)
  })

  it('is removed once by 50 simultaneous calls', async () => {
    const { owner, phone, here } = await anOwner()
    await signIn(phone)
    const answers = await Promise.all(Array.from({ length: 50 }, () => lose(here, phone.id)))
    expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.ended_sessions)).toEqual([1])
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
    const ended = { ducklingId: owner.id, action: 'session.revoked' }
    expect(await db().auditEvent.count({ where: ended })).toBe(1)
  })
})

it('removes a passkey without signing anybody out when it is not asked to', async () => {
  const { phone, here } = await anOwner()
  const stays = (await signIn(phone)).token
  const { status, body } = await remove(here, phone.id)
  expect([status, body.ended_sessions]).toEqual([200, undefined])
  expect(await alive(stays)).toBe(true)
})
