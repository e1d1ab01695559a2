import { beforeEach, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/fixtures/ducklings'
import { codeFor, sentTo } from '@/lib/fixtures/outbox'
import { readClock } from '@/lib/kernel/clock'
import { revokeCodes } from './codes'

let owner: ADuckling
let address: string
beforeEach(async () => {
  owner = await aDuckling()
  address = randomEmail()
})

const changeTo = (body: object) => call('POST /beak/email-change', { token: owner.token, body })
const kill = () => transaction((tx) => revokeCodes(tx, owner.id, 'email_change', readClock()))

it('kills a code that was mailed', async () => {
  await changeTo({ new_email: address })
  const otp = await codeFor(address)
  await kill()
  expect(await changeTo({ new_email: address, otp })).toMatchObject({ status: 401, body: { code: 'E4006' } })
})

it('does not mail a code that was killed while it waited to be sent', async () => {
  await changeTo({ new_email: address })
  await kill()
  expect(await sentTo(address)).toEqual([])
})

it('keeps the killed codes, so that no more than three are sent to the address', async () => {
  for (let n = 0; n < 3; n++) {
    await changeTo({ new_email: address })
    await kill()
  }
  expect((await changeTo({ new_email: address })).status).toBe(429)
})

it('leaves codes of another purpose and of another account alive', async () => {
  const other = await aDuckling()
  await call('POST /beak/email-change', { token: other.token, body: { new_email: address } })
  await call('POST /beak/signin/otp', { body: { email: owner.email } })
  const otp = await codeFor(owner.email)
  await kill()
  expect((await call('POST /beak/signin', { body: { email: owner.email, otp } })).status).toBe(200)
  expect(await db().otpCode.count({ where: { ducklingId: other.id, deadAt: { not: null } } })).toBe(0)
})
