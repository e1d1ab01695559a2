/**
 * Merkle trees as in RFC 6962, section 2.1: roots and proofs. A tree is read through `ReadSubtree`, so the same functions serve a log in
 * the database, tiles over HTTP, and tests. `verify-proof.ts` verifies the proofs and shares no code with their generation.
 */
import { sha256 } from '@noble/hashes/sha2.js'

/** 32 bytes. */
export type Hash = Uint8Array

/** Returns the hash of the leaves `index × 2^height` up to `(index + 1) × 2^height`, all of which the tree has. */
export type ReadSubtree = (height: number, index: number) => Promise<Hash>

export const hashLength = 32

/** The root of a tree without leaves: the SHA-256 of nothing. */
export const emptyRoot: Hash = sha256(new Uint8Array())

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** Returns the hash of a leaf: SHA-256 of a zero byte and the entry. */
export function hashOfLeaf(entry: Uint8Array): Hash {
  return sha256.create().update(leafPrefix).update(entry).digest()
}

/** Returns the hash of an inner node: SHA-256 of a one byte and both children. */
export function hashOfNode(left: Uint8Array, right: Uint8Array): Hash {
  return sha256.create().update(nodePrefix).update(left).update(right).digest()
}

/** Returns the largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Returns the height of a full tree with `size` leaves, or null when `size` is not a power of two. */
function heightOf(size: number): number | null {
  let height = 0
  while (2 ** height < size) height++
  return 2 ** height === size ? height : null
}

/** MTH(D[start:end]) of RFC 6962. */
async function hashOfRange(start: number, end: number, read: ReadSubtree): Promise<Hash> {
  const size = end - start
  const height = heightOf(size)
  if (height !== null && start % size === 0) return read(height, start / size)
  const split = start + splitOf(size)
  return hashOfNode(await hashOfRange(start, split, read), await hashOfRange(split, end, read))
}

/** Returns the root hash of the first `size` leaves. */
export async function rootOf(size: number, read: ReadSubtree): Promise<Hash> {
  return size === 0 ? emptyRoot : hashOfRange(0, size, read)
}

/** Returns the proof that the leaf `index` is in the tree of `size` leaves: PATH(m, D[n]). Throws `RangeError`. */
export async function proveInclusion(index: number, size: number, read: ReadSubtree): Promise<Hash[]> {
  if (index < 0 || index >= size) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`)
  const path = async (start: number, end: number): Promise<Hash[]> => {
    if (end - start === 1) return []
    const split = start + splitOf(end - start)
    return index < split
      ? [...(await path(start, split)), await hashOfRange(split, end, read)]
      : [...(await path(split, end)), await hashOfRange(start, split, read)]
  }
  return path(0, size)
}

/** Returns the proof that the tree of `first` leaves is the beginning of the tree of `second`: PROOF(m, D[n]). Throws `RangeError`. */
export async function proveConsistency(first: number, second: number, read: ReadSubtree): Promise<Hash[]> {
  if (first < 0 || first > second)
    throw new RangeError(`A tree of ${first} leaves is not the beginning of ${second}.`)
  if (first === 0 || first === second) return []
  const subproof = async (start: number, end: number, isWhole: boolean): Promise<Hash[]> => {
    if (first === end) return isWhole ? [] : [await hashOfRange(start, end, read)]
    const split = start + splitOf(end - start)
    return first <= split
      ? [...(await subproof(start, split, isWhole)), await hashOfRange(split, end, read)]
      : [...(await subproof(split, end, false)), await hashOfRange(start, split, read)]
  }
  return subproof(0, second, true)
}
