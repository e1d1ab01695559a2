import { beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling, aNetwork, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { readClock } from '@/lib/kernel/runtime/clock'
import { revokeCodes } from './codes'

let owner: ADuckling
let address: string
beforeEach(async () => {
  owner = await aDuckling()
  address = randomEmail()
})

const home = aNetwork()
const changeTo = (body: object) => call('POST /beak/email-change', { token: owner.token, body, from: home() })
const revoke = () => transaction((tx) => revokeCodes(tx, owner.id, 'email_change', readClock()))

/** Whether a statement of this database waits for a lock. */
async function waitsForLock(): Promise<boolean> {
  const waiting = await db().rows`
    SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`
  return waiting.length > 0
}

it('revokes a code that was mailed', async () => {
  await changeTo({ new_email: address })
  const otp = await codeFor(address)
  await revoke()
  expect(await changeTo({ new_email: address, otp })).toMatchObject({ status: 401, body: { code: 'E4006' } })
})

it('does not mail a code that was revoked before it was sent', async () => {
  await changeTo({ new_email: address })
  await revoke()
  expect(await sentTo(address)).toEqual([])
})

// The embedded database has one connection.
it.runIf(inject('postgres') !== null)(
  'waits for a revocation that has begun, and then does not mail the code',
  async () => {
    await changeTo({ new_email: address })
    let commit = () => {}
    const isWaitedFor = new Promise<void>((resolve) => {
      commit = resolve
    })
    let revoking: Promise<void> | undefined
    await new Promise<void>((hasRevoked) => {
      revoking = transaction(async (tx) => {
        await revokeCodes(tx, owner.id, 'email_change', readClock())
        hasRevoked()
        await isWaitedFor
      })
    })
    const sending = sentTo(address)
    onTestFinished(async () => {
      commit()
      await Promise.allSettled([revoking, sending])
    })
    await vi.waitFor(async () => expect(await waitsForLock()).toBe(true), 10_000)
    commit()
    await revoking
    expect(await sending).toEqual([])
  },
)

it('still counts revoked codes, so that at most three are sent to the address', async () => {
  for (let n = 0; n < 3; n++) {
    await changeTo({ new_email: address })
    await revoke()
  }
  expect((await changeTo({ new_email: address })).status).toBe(429)
})

it('does not revoke codes of another purpose or another account', async () => {
  const other = await aDuckling()
  await call('POST /beak/email-change', { token: other.token, body: { new_email: address } })
  await call('POST /beak/signin/otp', { body: { email: owner.email } })
  const otp = await codeFor(owner.email)
  await revoke()
  expect((await call('POST /beak/signin', { body: { email: owner.email, otp } })).status).toBe(200)
  expect(await db().otpCode.count({ where: { ducklingId: other.id, deadAt: { not: null } } })).toBe(0)
})
