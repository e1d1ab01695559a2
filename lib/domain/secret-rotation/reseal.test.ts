import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { invitationUrl } from '@/lib/domain/invitations/schema'
import { grantLabel } from '@/lib/domain/pecks/grant/tokens'
import { mintSecret } from '@/lib/domain/webhooks/secret'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { resealAll, rotateTestSecret } from '@/lib/fixtures/secrets'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { reloadKeys } from '@/lib/infrastructure/keys/signing-keys'
import { readClock } from '@/lib/kernel/runtime/clock'
import { unseal } from '@/lib/kernel/secrets/secrets'
import { reseal } from './reseal'
import { readBatch, sealedColumns, writeBatch } from './sealed-columns'

const webhookUrl = 'http://127.0.0.1:9/reseal'

/** Creates a sealed value of each kind. `open` decrypts all of them with the current secrets. */
async function sealedValues() {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const webhook = await aWebhook(webhookUrl, { owner: asker })
  const rotated = await call('POST /beak/webhook/rotate-secret', {
    token: asker.token,
    body: { webhook_id: webhook.id },
  })
  const invited = await call('POST /beak/invitation/create', { token: asker.token, body: {} })
  const grant = await anApprovedPeck(asker, target, { scope: 'timed' })
  const open = async () => {
    const endpoint = await db().webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } })
    const token = await db().grantToken.findFirstOrThrow({ where: { peckId: grant.peck_id } })
    const link = await db().invitation.findFirstOrThrow({ where: { ducklingId: asker.id } })
    const secrets = [endpoint.secret, endpoint.previousSecret ?? new Uint8Array()]
    return [
      ...secrets.map((sealed) => `whsec_${unseal(sealed, webhook.id).toString('base64')}`),
      unseal(token.sealed, grantLabel(grant.peck_id)).toString(),
      invitationUrl(unseal(link.sealed ?? new Uint8Array(), link.id).toString()),
    ]
  }
  return {
    asker,
    grant,
    open,
    plain: [rotated.body.secret, webhook.secret, grant.grant_token, invited.body.url],
  }
}

describe('a rotation of the secret', () => {
  // security: secret-1
  it('keeps earlier values readable with the previous secret, and after reseal also without it', async () => {
    const { asker, grant, open, plain } = await sealedValues()
    const { forgetPrevious } = rotateTestSecret()
    expect(await open()).toEqual(plain)
    await reloadKeys()
    expect((await call('GET /beak/profile', { token: asker.token })).status).toBe(200)

    await resealAll()
    forgetPrevious()
    expect(await open()).toEqual(plain)
    await reloadKeys()
    expect((await call('GET /beak/profile', { token: asker.token })).status).toBe(200)
    const { body } = await call(`GET /beak/peck/status?peck_id=${grant.peck_id}`, { token: asker.token })
    expect(body.grant_token).toBe(grant.grant_token)
  })

  // security: backup-2
  it('makes sealed values unreadable without the previous secret', async () => {
    const { open } = await sealedValues()
    rotateTestSecret().forgetPrevious()
    await expect(open()).rejects.toThrow('set BEAK_SECRET_PREVIOUS')
    await expect(reloadKeys()).rejects.toThrow('set BEAK_SECRET_PREVIOUS')
  })
})

describe('reseal', () => {
  // security: secret-1
  it('covers every sealed column: a new column of bytes must be declared here', () => {
    const schema = readFileSync('prisma/schema.prisma', 'utf8')
    const columns = [...schema.matchAll(/^model (\w+) \{(.*?)^\}/gms)].flatMap(([, model, body = '']) =>
      [...body.matchAll(/^ {2}(\w+)\s+Bytes\b/gm)].map(([, column]) => `${model}.${column}`),
    )
    const notSealed = [
      'AuditEvent.salt',
      'BeakKey.secretHash',
      'DeviceRequest.secretHash',
      'DeviceRequest.userCodeHash',
      'DeviceToken.secretHash',
      'GrantToken.hash',
      'Connection.grantHash',
      'Guard.sessionHash',
      'Handshake.secretHash',
      // Lives a day, and cannot be opened without the key of a client.
      'IdempotencyKey.answer',
      'IdempotencyKey.claim',
      'IdempotencyKey.fingerprint',
      'IdempotencyKey.id',
      'LogCheckpoint.root',
      'LogEntry.data',
      'LogEntry.leafHash',
      'LogHash.hash',
      'LogPending.digest',
      'LogQueue.digest',
      'MailLink.tokenHash',
      'OAuthRecord.grantHash',
      'OAuthRecord.hash',
      'OtpCode.codeHash',
      'Site.secretHash',
      'SiteSignIn.grantHash',
      'Approver.publicKey',
      'Passkey.publicKey',
      'Channel.targetHash',
      'Invitation.tokenHash',
      // Salts of receipts. The values that they protect are in the same row.
      'Peck.receiptSeed',
      'Peck.statementDigest',
      'Session.tokenHash',
      'SignInLink.tokenHash',
      'SignUpPass.tokenHash',
      'SsoToken.secretHash',
      'Subscription.tokenHash',
    ]
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(columns.sort()).toEqual([...notSealed, ...sealed].sort())
  })

  // security: secret-2
  it('continues after an interruption, and changes nothing when it is run again', async () => {
    const all = [await sealedValues(), await sealedValues(), await sealedValues()]
    const { forgetPrevious } = rotateTestSecret()
    const interruption = new Error('killed')
    const lines: string[] = []
    const interrupted = reseal((line) => {
      lines.push(line)
      if (lines.length === 4) throw interruption
    }, 1)
    await expect(interrupted).rejects.toBe(interruption)
    for (const { open, plain } of all) expect(await open()).toEqual(plain)
    await resealAll()
    const before = await db().grantToken.findMany({ orderBy: { hash: 'asc' } })
    forgetPrevious()
    for (const { open, plain } of all) expect(await open()).toEqual(plain)
    await resealAll()
    expect(await db().grantToken.findMany({ orderBy: { hash: 'asc' } })).toEqual(before)
  })

  // security: secret-2
  it('never overwrites a value that is changed at the same time', async () => {
    const owner = await aDuckling()
    const webhooks = []
    for (let n = 0; n < 10; n++) webhooks.push(await aWebhook(webhookUrl, { owner }))
    const { forgetPrevious } = rotateTestSecret()
    const rotate = async ({ id }: { id: string }) => {
      const { body } = await call('POST /beak/webhook/rotate-secret', {
        token: owner.token,
        body: { webhook_id: id },
      })
      return { id, shown: body.secret }
    }
    const [rotated] = await Promise.all([Promise.all(webhooks.map(rotate)), resealAll(), resealAll()])
    forgetPrevious()
    for (const { id, shown } of rotated) {
      const { secret } = await db().webhookEndpoint.findUniqueOrThrow({ where: { id } })
      expect(`whsec_${unseal(secret, id).toString('base64')}`).toBe(shown)
    }
  })

  it('does not overwrite a value that was changed after its batch was read', async () => {
    const owner = await aDuckling()
    const { id } = await aWebhook(webhookUrl, { owner })
    const [column] = sealedColumns.filter(({ table }) => table === 'WebhookEndpoint')
    if (!column) throw new Error('there is no such column')
    const { forgetPrevious } = rotateTestSecret()
    const before = await db().webhookEndpoint.findFirst({
      where: { id: { lt: id } },
      orderBy: { id: 'desc' },
    })
    const after = before?.id ?? ''
    const batch = await readBatch(column, after, 1)
    expect(batch).toMatchObject({ values: 1, changes: [{ key: id }], unopened: [] })
    const changed = mintSecret(id).sealed
    await db().webhookEndpoint.update({ where: { id }, data: { secret: changed } })
    expect(await writeBatch(batch)).toBe(0)
    expect((await readBatch(column, after, 1)).changes).toEqual([])
    forgetPrevious()
    const { secret } = await db().webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(secret)).toEqual(Buffer.from(changed))
  })

  it('names values that neither secret can open, and seals the others', async () => {
    const { open, plain, grant } = await sealedValues()
    const agent = await anAgent(await aDuckling())
    const lost = await anApprovedPeck(agent, await aDuckling())
    await db().grantToken.updateMany({
      where: { peckId: lost.peck_id },
      data: { sealed: new Uint8Array(100) },
    })
    const { forgetPrevious } = rotateTestSecret()
    const message = await resealAll()
    expect(message).toContain(`GrantToken.sealed of ${lost.peck_id}`)
    expect(message).not.toContain(grant.peck_id)
    expect(message).toContain('Set BEAK_SECRET_PREVIOUS')
    forgetPrevious()
    expect(await open()).toEqual(plain)
    await db().grantToken.deleteMany({ where: { peckId: lost.peck_id } })
  })

  it('includes retired and new signing keys', async () => {
    const kid = `test-${readClock().getTime()}`
    await db().signingKey.create({ data: { kid, publicKey: {}, createdAt: readClock() } })
    rotateTestSecret()
    expect(await resealAll()).not.toContain(kid)
    await db().signingKey.delete({ where: { kid } })
  })
})
