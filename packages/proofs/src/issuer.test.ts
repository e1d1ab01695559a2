/** Receipts and account exports of the service, checked with a pinned issuer. What is wrong inside them has its own tests. */
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { appendNow } from '@/lib/fixtures/tlog'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { verifyAuditExport } from './audit-export'
import { verifyReceipt } from './receipt'

const issuer = 'http://localhost:3000'
const fetch = async (url: string) => callRaw(`GET ${new URL(url).pathname}`)

let target: ADuckling
let receipt: Record<string, unknown>
let exported: Record<string, unknown> & { audit: { events: unknown[]; head: string; log: object | null } }
let page: { items: unknown[] }

beforeAll(async () => {
  const asker = await aDuckling()
  target = await aDuckling()
  const { peck_id } = await anApprovedPeck(asker, target)
  const { token } = target
  receipt = (await call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token })).body
  await appendNow()
  exported = (await call('GET /beak/account/export', { token })).body
  page = (await call('GET /beak/audit', { token })).body
})

const withLog = (log: object | null) => ({ ...exported, audit: { ...exported.audit, log } })
const otherLog = aNoteSigner('localhost:3000/.well-known/tlog', 7).vkey

/** A key of somebody else. */
const foreignKeys = () => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'other' }] }
}

describe('a receipt', () => {
  it('is valid with the keys that its issuer publishes', async () => {
    const verdict = await verifyReceipt(receipt, { issuer, fetch })
    expect(verdict).toMatchObject({ ok: true, facts: { issuer, isTrustedKey: true } })
  })

  // security: site-15
  it('is refused for another issuer, with keys of others, and without keys, although it has its keys with it', async () => {
    const down = async () => new Response(null, { status: 503 })
    for (const options of [
      { issuer: 'http://localhost:4000', fetch },
      { issuer, keys: foreignKeys() },
      { issuer, fetch: down },
    ])
      expect(await verifyReceipt(receipt, options)).toMatchObject({ ok: false, fault: { part: 'jws' } })
  })
})

describe('an account export', () => {
  it('is valid with the keys that its issuer publishes', async () => {
    const report = await verifyAuditExport(exported, { issuer, fetch, ducklingId: target.id })
    expect(report).toMatchObject({ ok: true, faults: [], ducklingId: target.id, isPart: false })
    expect(report.events).toBe(exported.audit.events.length)
  })

  // security: rewrite-3
  it.each<[string, () => Promise<{ ok: boolean }>]>([
    ['for another issuer', () => verifyAuditExport(exported, { issuer: 'http://localhost:4000', fetch })],
    ['for another owner', () => verifyAuditExport(exported, { issuer, fetch, ducklingId: 'DUCK-1' })],
    ['with keys of others', () => verifyAuditExport(exported, { issuer, keys: foreignKeys() })],
    [
      'when the keys cannot be read',
      () => verifyAuditExport(exported, { issuer, fetch: async () => new Response(null, { status: 503 }) }),
    ],
    [
      'without its last event',
      () => {
        const audit = { ...exported.audit, events: exported.audit.events.slice(0, -1) }
        return verifyAuditExport({ ...exported, audit }, { issuer, fetch })
      },
    ],
    [
      'when it hides which entries the transparency log has of it',
      () => verifyAuditExport(withLog({ ...exported.audit.log, heads: undefined }), { issuer, fetch }),
    ],
    [
      'without its proof from the transparency log',
      () => verifyAuditExport(withLog(null), { issuer, fetch }),
    ],
    ['with another key of the log', () => verifyAuditExport(exported, { issuer, fetch, vkeys: [otherLog] })],
    ['as a page, whose end nobody signed', () => verifyAuditExport(page, { issuer, fetch })],
    ['as anything else', () => verifyAuditExport('text', { issuer, fetch })],
  ])('is refused %s', async (_, verify) => {
    expect((await verify()).ok).toBe(false)
  })
})
