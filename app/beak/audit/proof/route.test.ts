import { base64 } from '@beak/proofs/bytes'
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { chainHeadDigest } from '@beak/proofs/log/entry'
import type { LoggedHead } from '@beak/proofs/log/kept-proof'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { openNote, parseNote } from '@beak/proofs/log/note'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { verifyConsistency, verifyInclusion } from '@beak/proofs/log/verify-proof'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { findCheckpoint } from '@/lib/domain/tlog/published'
import type { LogProofInput } from '@/lib/domain/tlog/schema'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { appendNow, leavesInOrder, pendingEntries, referenceRoot } from '@/lib/fixtures/tlog'
import { record } from '@/lib/infrastructure/events/record'

const bytes = (hash: string) => new Uint8Array(Buffer.from(hash, 'base64'))

let owner: ADuckling
let passkey: APasskey
const proof = (query = '', token = owner.token): Promise<Answer> =>
  call(`GET /beak/audit/proof${query}`, { token })

async function change(): Promise<number> {
  const context = await owner.context()
  await transaction(async (tx) => record(tx, context, 'duckling.updated'))
  const { seq } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: owner.id } })
  return seq
}

/** Checks what a client can check with the answer alone. */
async function expectProven(body: LogProofInput, { entry, inclusion } = body): Promise<void> {
  const note = parseNote(body.checkpoint)
  const keys = body.vkeys.map(parseVerifierKey).filter((key) => key !== null)
  expect(note && (await openNote(note, keys))).not.toBeNull()
  expect(parseCheckpoint(note?.text ?? '')).toEqual({
    origin: body.origin,
    size: body.tree_size,
    root: bytes(body.root_hash),
  })
  const leaf = hashOfLeaf(Buffer.from(entry?.data ?? ''))
  expect(entry?.leaf_hash).toBe(base64(leaf))
  expect(entry?.data).toBe(`{"digest":"${entry?.digest}","kind":"${entry?.kind}"}`)
  const path = (inclusion ?? []).map(bytes)
  expect(verifyInclusion(leaf, entry?.index ?? -1, body.tree_size, path, bytes(body.root_hash))).toBe(true)
}

beforeAll(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  await confirmWithPasskey(owner, passkey.authenticator)
  await appendNow()
})

describe('200', () => {
  it('proves the newest logged head of the chain', async () => {
    const seq = await change()
    await pendingEntries(300)
    await appendNow()
    await change()
    const { status, body } = await proof()
    expect(status).toBe(200)
    await expectProven(body)
    expect(body.entry).toMatchObject({ kind: 'chain_head', seq, duckling_id: owner.id, passkey_id: null })
    const event = (await call('GET /beak/audit?limit=100', { token: owner.token })).body.items.find(
      (item: { seq: number }) => item.seq === seq,
    )
    expect(body.entry.hash).toBe(event.hash)
    expect(body.entry.digest).toBe(chainHeadDigest({ ducklingId: owner.id, seq, hash: event.hash }))
    expect([body.consistency, body.entries]).toEqual([null, undefined])
  })

  it('proves the first logged head at or after an event', async () => {
    const logged = await change()
    await appendNow()
    const unlogged = await change()
    const next = await change()
    await appendNow()
    for (const [seq, found] of [
      [logged, logged],
      [unlogged, next],
      [next, next],
    ]) {
      const { body } = await proof(`?seq=${seq}`)
      await expectProven(body)
      expect([seq, body.entry.seq]).toEqual([seq, found])
    }
  })

  // security: database-7
  it('proves that a passkey was added, and later that it was removed', async () => {
    const second = await aPasskey(owner)
    await appendNow()
    const added = (await proof(`?passkey_id=${second.id}`)).body
    await expectProven(added)
    expect(added.entry).toMatchObject({
      kind: 'passkey_enrolled',
      passkey_id: second.id,
      seq: null,
      hash: null,
    })
    await confirmWithPasskey(owner, second.authenticator)
    await call('POST /beak/passkey/remove', { token: owner.token, body: { passkey_id: second.id } })
    await appendNow()
    const { body } = await proof(`?passkey_id=${second.id}`)
    for (const one of body.entries) await expectProven(body, one)
    expect(body.entries.map(({ entry }: LogProofInput) => entry?.kind)).toEqual([
      'passkey_enrolled',
      'passkey_removed',
    ])
    expect(body.entry).toEqual(body.entries[1].entry)
    expect(body.entry.digest).toBe(added.entry.digest)
  })

  it('proves that the log only grew between any two sizes', async () => {
    const sizes: { size: number; root: Uint8Array }[] = []
    for (const count of [1, 254, 2, 257]) {
      await pendingEntries(count)
      const { size, root } = await appendNow()
      sizes.push({ size, root })
    }
    for (const [place, first] of sizes.entries())
      for (const second of sizes.slice(place)) {
        const { body } = await proof(`?first=${first.size}&second=${second.size}`)
        expect(body.consistency).toMatchObject({ first: first.size, second: second.size })
        expect(verifyConsistency(first, second, body.consistency.proof.map(bytes))).toBe(true)
      }
    const [first] = sizes
    const { body } = await proof(`?first=${first?.size}`)
    const now = { size: body.tree_size, root: bytes(body.root_hash) }
    expect(first && verifyConsistency(first, now, body.consistency.proof.map(bytes))).toBe(true)
    expect((await proof('?first=0')).body.consistency).toMatchObject({ first: 0, proof: [] })
  })

  it('returns the root of the entries in the database', async () => {
    const { body } = await proof()
    const leaves = (await leavesInOrder()).slice(0, body.tree_size)
    expect(referenceRoot(leaves)).toEqual(bytes(body.root_hash))
  })

  it('has no entry while the log has nothing of the caller', async () => {
    const fresh = await aDuckling()
    const { status, body } = await proof('', fresh.token)
    expect([status, body.entry, body.inclusion]).toEqual([200, null, null])
    expect(parseNote(body.checkpoint)).not.toBeNull()
    await appendNow()
    await expectProven((await proof('', fresh.token)).body)
  })

  it('lists only the logged heads of the chain with heads=true', async () => {
    const seqs = [await change(), await change()]
    await appendNow()
    seqs.push(await change())
    await appendNow()
    const { body } = await proof('?heads=true')
    const events = await db().auditEvent.findMany({ where: { ducklingId: owner.id } })
    const hashes = new Map(events.map(({ seq, hash }) => [seq, hash]))
    const heads: LoggedHead[] = body.heads
    expect(heads.map(({ seq }) => seq)).toEqual(expect.arrayContaining(seqs.slice(1)))
    expect(heads.map(({ seq }) => seq)).not.toContain(seqs[0])
    for (const { seq, digest } of heads)
      expect(digest).toBe(chainHeadDigest({ ducklingId: owner.id, seq, hash: hashes.get(seq) ?? '' }))
    expect(heads.at(-1)).toEqual({ index: body.entry.index, seq: body.entry.seq, digest: body.entry.digest })
    expect((await proof()).body).not.toHaveProperty('heads')
    const exported = await call('GET /beak/account/export', { token: owner.token })
    expect(exported.body.audit.log.heads).toEqual(heads)
  })

  it('is included in the export of the account', async () => {
    await appendNow()
    const { status, body } = await call('GET /beak/account/export', { token: owner.token })
    expect(status).toBe(200)
    await expectProven(body.audit.log)
    const { seq, hash } = body.audit.log.entry
    expect(body.audit.events.find((event: { seq: number }) => event.seq === seq).hash).toBe(hash)
  })
})

describe('400', () => {
  it.each([
    ['?first=5&second=4', 'first'],
    ['?second=4', 'first'],
    ['?first=-1', 'first'],
    ['?first=01', 'first'],
    ['?first=1e3', 'first'],
    ['?seq=0', 'seq'],
    ['?seq=1&passkey_id=PKY-0', 'passkey_id'],
    ['?passkey_id=x', 'passkey_id'],
  ])('names the field of %s', async (query, field) => {
    const { status, body } = await proof(query)
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'E4000', field])
  })

  it('names the size that the log does not have', async () => {
    const size = (await findCheckpoint(db()))?.size ?? 0
    for (const [query, field] of [
      [`?first=${size + 1}`, 'first'],
      [`?first=1&second=${size + 1}`, 'second'],
    ]) {
      const { status, body } = await proof(query)
      const message = `must not be larger than the log, which has ${size} entries`
      expect([status, body.errors]).toEqual([400, [{ field, message }]])
    }
  })
})

describe('404', () => {
  it('returns E4005 for an event that is not logged and for an unknown passkey', async () => {
    const seq = await change()
    for (const query of [`?seq=${seq}`, '?passkey_id=PKY-0']) {
      const { status, body } = await proof(query)
      expect([status, body.code]).toEqual([404, 'E4005'])
      expect(body.action).toContain('within a minute')
    }
  })

  it('returns the same for a passkey of another account and an unknown one', async () => {
    const other = await aDuckling()
    const otherPasskey = await aPasskey(other)
    await appendNow()
    expect((await proof(`?passkey_id=${otherPasskey.id}`, other.token)).status).toBe(200)
    const [foreign, unknown] = [
      await proof(`?passkey_id=${otherPasskey.id}`),
      await proof('?passkey_id=PKY-0'),
    ]
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})
