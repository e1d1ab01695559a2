/** Proofs and files of the service's own log, and proofs that are changed, cut, or of another log. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { logVerifierKeys } from '@/lib/domain/tlog/origin'
import { cosignNote } from '@/lib/domain/tlog/sign-note'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aLog, aProof, chainHeadEntry } from '@/lib/fixtures/logs'
import { appendNow, pendingEntries } from '@/lib/fixtures/tlog'
import { aNewNoteSigner, type NoteSigner } from '@/lib/fixtures/witnesses'
import { base64 } from './bytes'
import { readKeptProof } from './log/kept-proof'
import { formatVerifierKey, verifierKey } from './log/verifier-key'
import { type LogProofOptions, verifyLogProof } from './log-proof'
import { verifyTransparencyLog } from './transparency-log'

const origin = 'localhost:3000/.well-known/tlog'

// biome-ignore lint/suspicious/noExplicitAny: tests change any member of a proof
type Any = any

let owner: ADuckling
let vkeys: string[]
/** The checkpoint before the log grew, and the proof after. */
let kept: string
let keptSize: number
let proof: Any

beforeAll(async () => {
  owner = await aDuckling()
  await pendingEntries(3)
  ;({ note: kept, size: keptSize } = await appendNow())
  await pendingEntries(5)
  await appendNow()
  proof = (await call(`GET /beak/audit/proof?first=${keptSize}`, { token: owner.token })).body
  vkeys = await logVerifierKeys()
})

const reasonFor = async (value: unknown, options: Partial<LogProofOptions> = {}) => {
  const verdict = await verifyLogProof(value, { vkeys, ...options })
  return verdict.ok ? 'ok' : verdict.fault.reason
}

const changed = (change: (copy: Any) => void): Any => {
  const copy = structuredClone(proof)
  change(copy)
  return copy
}
const otherHash = base64(new Uint8Array(32).fill(9))

describe('a proof of the service', () => {
  it('shows the entry of the caller and that the log continues a kept checkpoint', async () => {
    expect(await verifyLogProof(proof, { vkeys, kept })).toEqual({
      ok: true,
      facts: {
        origin,
        size: proof.tree_size,
        root: proof.root_hash,
        checkpoint: proof.checkpoint,
        entries: [
          {
            index: proof.entry.index,
            kind: 'chain_head',
            digest: proof.entry.digest,
            ducklingId: owner.id,
            seq: proof.entry.seq,
          },
        ],
      },
    })
    expect(await reasonFor(proof)).toBe('ok')
    expect(await reasonFor(proof, { kept: proof.checkpoint })).toBe('ok')
  })

  it('is compared with the events of the account', async () => {
    const { entry } = proof
    const own = (seq: number, hash: string, ducklingId = owner.id) => ({
      ducklingId,
      events: [{ seq, hash }],
    })
    expect(await reasonFor(proof, { own: own(entry.seq, entry.hash) })).toBe('ok')
    expect(await reasonFor(proof, { own: own(entry.seq, 'f'.repeat(64)) })).toBe('rewritten')
    expect(await reasonFor(proof, { own: own(1, entry.hash, 'DUCK-1') })).toBe('entry')
    expect(await reasonFor(proof, { own: { ducklingId: owner.id, events: [] } })).toBe('truncated')
  })

  it.each<[string, (copy: Any) => void, string]>([
    [
      'with another key',
      (one) => {
        one.checkpoint = one.checkpoint.replace(
          /(— \S+ )(.)/,
          (_: string, name: string, first: string) => `${name}${first === 'X' ? 'Y' : 'X'}`,
        )
      },
      'signature',
    ],
    [
      'with another size in its checkpoint',
      (one) => {
        one.checkpoint = one.checkpoint.replace(/\n\d+\n/, '\n7\n')
      },
      'signature',
    ],
    [
      'with another root',
      (one) => {
        one.checkpoint = one.checkpoint.replace(one.root_hash, otherHash)
      },
      'signature',
    ],
    [
      'without a checkpoint',
      (one) => {
        one.checkpoint = undefined
      },
      'malformed',
    ],
    ['whose inclusion is cut', (one) => void one.inclusion.pop(), 'inclusion'],
    [
      'whose inclusion is empty',
      (one) => {
        one.inclusion = []
      },
      'inclusion',
    ],
    ['whose inclusion is longer', (one) => void one.inclusion.push(otherHash), 'inclusion'],
    [
      'with a changed hash',
      (one) => {
        one.inclusion[0] = otherHash
      },
      'inclusion',
    ],
    [
      'with a hash that is none',
      (one) => {
        one.inclusion[0] = 'AA=='
      },
      'inclusion',
    ],
    [
      'of another index',
      (one) => {
        one.entry.index += 1
      },
      'inclusion',
    ],
    [
      'with another digest',
      (one) => {
        one.entry.digest = 'f'.repeat(64)
      },
      'entry',
    ],
    [
      'with another leaf hash',
      (one) => {
        one.entry.leaf_hash = otherHash
      },
      'entry',
    ],
    [
      'with other data',
      (one) => {
        one.entry.data += ' '
      },
      'entry',
    ],
    [
      'about another account',
      (one) => {
        one.entry.duckling_id = 'DUCK-1'
      },
      'entry',
    ],
    [
      'about another event',
      (one) => {
        one.entry.seq += 1
      },
      'entry',
    ],
    [
      'without an entry',
      (one) => {
        one.entry = null
      },
      'no_entry',
    ],
  ])('is refused %s', async (_, change, reason) => {
    expect(await reasonFor(changed(change))).toBe(reason)
  })

  it('is refused with a changed, cut or missing proof of growth', async () => {
    const withHashes = (hashes: unknown) =>
      changed((one) => {
        one.consistency.proof = hashes
      })
    const hashes: string[] = proof.consistency.proof
    for (const wrong of [
      [],
      hashes.slice(1),
      hashes.slice(0, -1),
      [...hashes, otherHash],
      [otherHash, ...hashes.slice(1)],
    ])
      expect(await reasonFor(withHashes(wrong), { kept })).toBe('rewritten')
    expect(
      await reasonFor(
        changed((one) => {
          one.consistency = null
        }),
        { kept },
      ),
    ).toBe('malformed')
    expect(
      await reasonFor(
        changed((one) => {
          one.consistency.first += 1
        }),
        { kept },
      ),
    ).toBe('malformed')
  })

  it('is refused with the keys of another log, without keys, and with texts that are no keys', async () => {
    const other = aNewNoteSigner(origin)
    expect(await reasonFor(proof, { vkeys: [other.vkey] })).toBe('signature')
    expect(await reasonFor(proof, { vkeys: [] })).toBe('signature')
    const witness = aNewNoteSigner('witness.example', 'cosignature').vkey
    for (const text of ['', 'key', `${vkeys[0]}x`, witness])
      await expect(verifyLogProof(proof, { vkeys: [text] })).rejects.toThrow(TypeError)
  })

  it.each([null, 1, 'text', [], {}])('is not %j', async (value) => {
    expect(await reasonFor(value)).toBe('malformed')
  })
})

describe('a log that somebody else makes', () => {
  const entries = Array.from({ length: 12 }, (_, index) =>
    chainHeadEntry('DUCK-1', index + 1, 'a'.repeat(64)),
  )
  const event = { duckling_id: 'DUCK-1', seq: 3, hash: 'a'.repeat(64) }
  let signer: NoteSigner
  beforeAll(() => {
    signer = aNewNoteSigner(origin)
  })

  it('is refused with its shorter or forked history, although its key signed it', async () => {
    const honest = await aLog(entries, signer)
    const shorter = await aProof(await aLog(entries.slice(0, 8), signer), signer, 2, event)
    const forked = [...entries]
    forked[7] = chainHeadEntry('DUCK-2', 1, 'b'.repeat(64))
    const fork = await aProof(await aLog(forked, signer), signer, 2, event)
    const own = { vkeys: [signer.vkey] }
    expect(await reasonFor(shorter, own)).toBe('ok')
    expect(await reasonFor(shorter, { ...own, kept: honest.checkpoint })).toBe('truncated')
    expect(await reasonFor(fork, { ...own, kept: honest.checkpoint })).toBe('rewritten')
  })

  it('is refused when it has another name than the kept one', async () => {
    const other = aNewNoteSigner('other.example/.well-known/tlog')
    const keys = { vkeys: [signer.vkey, other.vkey] }
    const mine = await aProof(await aLog(entries, signer), signer, 2, event)
    const { checkpoint } = await aLog(entries, other)
    expect(await reasonFor(mine, { ...keys, kept: checkpoint })).toBe('origin')
  })

  it('counts a witness with two names once', async () => {
    const witness = aNewNoteSigner('w1.example', 'cosignature')
    const twin = verifierKey('w2.example', 'cosignature', witness.key.publicKey)
    const lines = (text: string) =>
      [witness.key, twin].map((key) => cosignNote(text, key, witness.privateKey, 1_700_000_000)).join('')
    const { readFile } = await aLog(entries, signer, lines)
    const check = (witnesses: string[], quorum?: number) =>
      verifyTransparencyLog({ log: readFile, vkeys: [signer.vkey], witnesses, quorum })
    expect((await check([witness.vkey])).ok).toBe(true)
    expect((await check([witness.vkey, formatVerifierKey(twin)], 2)).ok).toBe(false)
  })
})

describe('the log of the service', () => {
  const log = `http://${origin}`
  const fetch = async (url: string) => callRaw(`GET ${new URL(url).pathname}`)

  it('is sound over HTTP and continues what was kept', async () => {
    const proofs = [readKeptProof('kept', kept), readKeptProof('proof', JSON.stringify(proof))]
    const report = await verifyTransparencyLog({
      log,
      vkeys,
      fetch,
      kept: proofs.filter((one) => one !== null),
    })
    expect(report).toMatchObject({ ok: true, faults: [], newest: { origin, size: proof.tree_size } })
    expect(report.kept.map(({ size }) => size)).toEqual([keptSize, proof.tree_size])
  })

  it('is refused with the keys of another log, and never checked without a pinned key', async () => {
    const other = aNewNoteSigner(origin)
    expect((await verifyTransparencyLog({ log, vkeys: [other.vkey], fetch })).ok).toBe(false)
    await expect(verifyTransparencyLog({ log, vkeys: [], fetch })).rejects.toThrow(TypeError)
    const missing = async () => new Response(null, { status: 404 })
    expect((await verifyTransparencyLog({ log, vkeys, fetch: missing })).ok).toBe(false)
  })
})
