/** Finds the entry of an approver page or of a package in a transparency log (docs/approver.md). */
import { areEqual, base64 } from '@beak/proofs/bytes'
import { openTiles, type ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import { type EntryKind, encodeEntry } from '@beak/proofs/log/entry'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { openCheckpoint } from '@beak/proofs/log/open-checkpoint'
import { tileWidth } from '@beak/proofs/log/tiles'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'

/** What the log says about a file of a release. */
export interface FoundEntry {
  /** Its first entry. Null: the log has none. */
  index: number | null
  /** The newest checkpoint, which covers the entry. */
  checkpoint: { origin: string; size: number; root: string }
}

/** How many tiles of 256 hashes are read at the same time. */
const tilesAtOnce = 8

/** Looks for a page in the whole log. `digest`: SHA-256 of the page in hex. The rest as `findEntry`. */
export function findPage(digest: string, vkeys: string[], readFile: ReadLogFile): Promise<FoundEntry> {
  return findEntry({ kind: 'approver_page', digest }, vkeys, readFile)
}

/**
 * Looks for an entry in the whole log. `vkeys`: the verifier keys of the log that are trusted. Throws when none of them signed the
 * checkpoint, and for files that do not fit the checkpoint.
 */
export async function findEntry(
  { kind, digest }: { kind: EntryKind; digest: string },
  vkeys: string[],
  readFile: ReadLogFile,
): Promise<FoundEntry> {
  const signed = await readCheckpoint(vkeys, readFile)
  const { origin, size, root } = signed
  const tiles = await openTiles(signed, readFile)
  // The hash of a leaf covers the whole entry, so the entries themselves are not needed.
  const wanted = hashOfLeaf(encodeEntry(kind, digest))
  const count = Math.ceil(size / tileWidth)
  let index: number | null = null
  for (let tile = 0; tile < count && index === null; tile += tilesAtOnce) {
    const length = Math.min(tilesAtOnce, count - tile)
    const leaves = await Promise.all(Array.from({ length }, (_, place) => tiles.readLeaves(tile + place)))
    const place = leaves.flat().findIndex((leaf) => areEqual(leaf, wanted))
    if (place !== -1) index = tile * tileWidth + place
  }
  return { index, checkpoint: { origin, size, root: base64(root) } }
}

async function readCheckpoint(vkeys: string[], readFile: ReadLogFile) {
  const keys = vkeys.map((text) => {
    const key = parseVerifierKey(text)
    if (key?.type !== 'ed25519') throw new Error(`--vkey ${text}: this is not a verifier key of a log.`)
    return key
  })
  const bytes = await readFile('checkpoint')
  if (bytes === null) throw new Error('The log has no checkpoint.')
  const checkpoint = await openCheckpoint(new TextDecoder().decode(bytes), keys, 'The checkpoint')
  if ('kind' in checkpoint) throw new Error(checkpoint.message)
  return checkpoint
}
