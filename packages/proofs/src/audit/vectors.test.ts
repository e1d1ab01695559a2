import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readKeptProof } from '@beak/proofs/log/kept-proof'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { decodeEntries } from '@beak/proofs/log/tiles'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { verifyLog } from '@beak/proofs/log/verify-log'
import { verifyConsistency, verifyInclusion } from '@beak/proofs/log/verify-proof'
import { describe, expect, it } from 'vitest'
import { auditVectors } from '@/lib/fixtures/audit-vectors'
import { verifyAudit } from './verify'

const folder = join(process.cwd(), 'docs', 'audit', 'vectors')
// biome-ignore lint/suspicious/noExplicitAny: each file has its own shape, which the document describes
const read = (name: string): any => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const bytes = (text: string) => Buffer.from(text, 'base64')

describe('the vectors in docs/audit/vectors', () => {
  it('equal the output of the code (otherwise run npm run audit:vectors)', async () => {
    const made = await auditVectors()
    expect(readdirSync(folder).sort()).toEqual([...made.keys()].sort())
    for (const [name, text] of made) expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text)
  })

  it('have a valid chain whose events have every member of a response', async () => {
    const { events, head } = read('events.json')
    const audit = {
      events: events.map(({ event }: { event: object }) => event),
      head: head.head,
      jwks: head.jwks,
    }
    expect(await verifyAudit({ audit })).toMatchObject({
      faults: [],
      events: 4,
      head: { seq: 4, kid: 'vectors' },
    })
  })

  it.each(['log-5.json', 'log-300.json'])('have in %s a log with valid files and proofs', async (name) => {
    const log = read(name)
    const files = new Map(Object.entries(log.tiles).map(([path, text]) => [path, bytes(String(text))]))
    files.set('checkpoint', Buffer.from(log.checkpoint))
    const witness = parseVerifierKey(read('cosignature.json').vkey)
    const report = await verifyLog({
      proofs: [readKeptProof('vector', log.checkpoint) ?? []].flat(),
      readFile: async (path) => files.get(path) ?? null,
      vkeys: [log.vkey],
      witnesses: witness ? [witness] : [],
    })
    expect(report).toMatchObject({
      faults: [],
      cosignatures: [{ witness: 'witness.example/w1', time: 1_790_000_000 }],
    })
    const size = report.newest?.size ?? 0
    const bundles = [...files].filter(([path]) => path.startsWith('tile/entries/')).sort()
    const entries = bundles.flatMap(
      ([path, bundle]) => decodeEntries(bundle, Number(/\.p\/(\d+)/.exec(path)?.[1] ?? 256)) ?? [],
    )
    expect(entries).toHaveLength(size)
    for (const { index, proof } of log.inclusion) {
      const leaf = hashOfLeaf(entries[index] ?? Buffer.alloc(0))
      expect(verifyInclusion(leaf, index, size, proof.map(bytes), bytes(log.root)), `${index}`).toBe(true)
    }
    for (const { first, first_root, proof } of log.consistency) {
      const older = { size: first, root: bytes(first_root) }
      expect(verifyConsistency(older, { size, root: bytes(log.root) }, proof.map(bytes)), `${first}`).toBe(
        true,
      )
    }
  })

  it('have the first entries of the small log', () => {
    const { entries } = read('entries.json')
    const bundle = decodeEntries(bytes(read('log-5.json').tiles['tile/entries/000.p/5']), 5)
    expect(bundle?.map(String)).toEqual(entries.slice(0, 5).map(({ data }: { data: string }) => data))
  })
})
