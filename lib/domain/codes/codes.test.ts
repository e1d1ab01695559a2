import { beforeEach, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling, aNetwork, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { readClock } from '@/lib/kernel/clock'
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
