/**
 * Merkle trees as in RFC 6962, section 2.1. A tree is read through `ReadSubtree`, so the same functions serve a log in the database,
 * tiles over HTTP, and tests. Verification follows RFC 9162, sections 2.1.3.2 and 2.1.4.2, and shares no code with the generation.
 */
import { createHash } from 'node:crypto'

/** 32 bytes. */
export type Hash = Buffer

/** Returns the hash of the leaves `index × 2^height` up to `(index + 1) × 2^height`, all of which the tree has. */
export type ReadSubtree = (height: number, index: number) => Promise<Hash>

export const hashLength = 32

/** The root of a tree without leaves: the SHA-256 of nothing. */
export const emptyRoot: Hash = createHash('sha256').digest()

/** The hash of a leaf: SHA-256 of a zero byte and the entry. */
export function hashOfLeaf(entry: Uint8Array): Hash {
  return createHash('sha256')
    .update(Buffer.from([0]))
    .update(entry)
    .digest()
}

/** The hash of an inner node: SHA-256 of a one byte and both children. */
export function hashOfNode(left: Uint8Array, right: Uint8Array): Hash {
  return createHash('sha256')
    .update(Buffer.from([1]))
    .update(left)
    .update(right)
    .digest()
}

/** The largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The height of a full tree of that many leaves; null when no full tree has as many. */
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

function isTreeSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0
}

/** Bit arithmetic beyond 32 bits, for numbers of nodes. */
const isOdd = (number: number) => number % 2 === 1
const half = (number: number) => Math.floor(number / 2)

/** Returns whether `proof` shows that a leaf with that hash is number `index` of the tree with that root (RFC 9162, 2.1.3.2). */
export function verifyInclusion(
  leafHash: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isTreeSize(size) || !isTreeSize(index) || index >= size) return false
  let node = index
  let last = size - 1
  let hash: Uint8Array = leafHash
  for (const sibling of proof) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      hash = hashOfNode(sibling, hash)
      while (!isOdd(node) && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else hash = hashOfNode(hash, sibling)
    node = half(node)
    last = half(last)
  }
  return last === 0 && Buffer.from(hash).equals(root)
}

/** Returns whether `proof` shows that the first tree is the beginning of the second (RFC 9162, 2.1.4.2). */
export function verifyConsistency(
  first: { size: number; root: Uint8Array },
  second: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!isTreeSize(first.size) || !isTreeSize(second.size) || first.size > second.size) return false
  if (first.size === second.size) return proof.length === 0 && Buffer.from(first.root).equals(second.root)
  if (first.size === 0) return proof.length === 0 && emptyRoot.equals(first.root)
  let node = first.size - 1
  let last = second.size - 1
  while (isOdd(node)) {
    node = half(node)
    last = half(last)
  }
  // A first tree whose size is a power of two is a subtree of the second: the proof leaves its root out.
  const [start, ...rest] = node === 0 ? [first.root, ...proof] : proof
  if (start === undefined) return false
  let firstHash: Uint8Array = start
  let secondHash: Uint8Array = start
  for (const sibling of rest) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      firstHash = hashOfNode(sibling, firstHash)
      secondHash = hashOfNode(sibling, secondHash)
      while (!isOdd(node) && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else secondHash = hashOfNode(secondHash, sibling)
    node = half(node)
    last = half(last)
  }
  return (
    last === 0 && Buffer.from(firstHash).equals(first.root) && Buffer.from(secondHash).equals(second.root)
  )
}
