import { describe, expect, it } from 'vitest'
import { hex } from '../bytes'
import {
  emptyRoot,
  type Hash,
  hashOfLeaf,
  hashOfNode,
  proveConsistency,
  proveInclusion,
  rootOf,
} from './merkle'
import { fold, subtreesFrom, tileWidth } from './tiles'
import { verifyConsistency, verifyInclusion } from './verify-proof'

/** The root as RFC 6962, section 2.1.1, defines it: recursively over the list of entries. */
function referenceRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return emptyRoot
  const [only] = leaves
  if (leaves.length === 1 && only) return only
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return hashOfNode(referenceRoot(leaves.slice(0, split)), referenceRoot(leaves.slice(split)))
}

const leaves = Array.from({ length: 700 }, (_, index) => hashOfLeaf(Buffer.from(`entry ${index}`)))
const roots = Array.from({ length: 701 }, (_, size) => referenceRoot(leaves.slice(0, size)))
const root = (size: number): Hash => roots[size] ?? emptyRoot
const leaf = (index: number): Hash => leaves[index] ?? emptyRoot

/** Reads the subtrees of the first `size` leaves through tiles. */
const reader = (size: number) =>
  subtreesFrom(size, async ({ level, index, width }) => {
    const first = index * tileWidth
    if (level === 0) return leaves.slice(first, first + width)
    return Array.from({ length: width }, (_, place) =>
      fold(leaves.slice((first + place) * tileWidth, (first + place + 1) * tileWidth)),
    )
  })

/** Sizes around powers of two and the tile width, where mistakes are likely. */
const sizes = [
  1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, 300, 511, 512, 513, 699, 700,
]

const changed = (hash: Hash): Hash => Buffer.from(hash.map((byte, place) => (place === 5 ? byte ^ 1 : byte)))

describe('rootOf', () => {
  it('equals the recursive definition of RFC 6962 at every size', async () => {
    for (const size of [0, ...sizes])
      expect(await rootOf(size, reader(size)), String(size)).toEqual(root(size))
  })

  it('equals the published root of the RFC 6962 test tree', async () => {
    // Entries and root of the test data of the certificate-transparency project, which sunlight and x/mod use as well.
    const entries = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ]
    const hashes = entries.map((entry) => hashOfLeaf(Buffer.from(entry, 'hex')))
    expect(hex(referenceRoot(hashes))).toBe(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    )
    expect(
      await rootOf(
        8,
        subtreesFrom(8, async () => hashes),
      ),
    ).toEqual(referenceRoot(hashes))
  })
})

describe('inclusion', () => {
  it('is proven for every leaf at every size', async () => {
    for (const size of sizes) {
      const read = reader(size)
      for (let index = 0; index < size; index += size > 64 ? 13 : 1) {
        const proof = await proveInclusion(index, size, read)
        expect(verifyInclusion(leaf(index), index, size, proof, root(size)), `${index} of ${size}`).toBe(true)
      }
    }
  })

  it('is refused for another leaf, index, size, root or proof', async () => {
    for (const size of [2, 5, 8, 100, 257, 700]) {
      const index = Math.floor(size / 3)
      const proof = await proveInclusion(index, size, reader(size))
      const isIncluded = (about: { hash?: Hash; at?: number; of?: number; path?: Hash[]; root?: Hash }) =>
        verifyInclusion(
          about.hash ?? leaf(index),
          about.at ?? index,
          about.of ?? size,
          about.path ?? proof,
          about.root ?? root(size),
        )
      expect(isIncluded({})).toBe(true)
      expect(isIncluded({ hash: leaf(index + 1) })).toBe(false)
      expect(isIncluded({ at: index + 1 })).toBe(false)
      for (const at of [-1, size, 0.5, Number.NaN]) expect(isIncluded({ at })).toBe(false)
      expect(isIncluded({ root: root(size - 1) })).toBe(false)
      expect(isIncluded({ path: proof.slice(1) })).toBe(false)
      expect(isIncluded({ path: proof.slice(0, -1) })).toBe(false)
      expect(isIncluded({ path: [...proof, leaf(0)] })).toBe(false)
      for (const place of proof.keys()) {
        const path = proof.map((hash, at) => (at === place ? changed(hash) : hash))
        expect(isIncluded({ path })).toBe(false)
      }
    }
  })

  it('throws for an index outside the tree', async () => {
    await expect(proveInclusion(5, 5, reader(5))).rejects.toThrow(RangeError)
    await expect(proveInclusion(-1, 5, reader(5))).rejects.toThrow(RangeError)
  })
})

describe('consistency', () => {
  it('is proven between every two sizes', async () => {
    for (const [place, second] of sizes.entries()) {
      const read = reader(second)
      for (const first of [0, ...sizes.slice(0, place + 1)]) {
        const proof = await proveConsistency(first, second, read)
        const trees = [
          { size: first, root: root(first) },
          { size: second, root: root(second) },
        ] as const
        expect(verifyConsistency(...trees, proof), `${first} to ${second}`).toBe(true)
      }
    }
  })

  it('is refused for another root, another size, or a changed proof', async () => {
    for (const [first, second] of [
      [1, 2],
      [4, 8],
      [5, 9],
      [256, 700],
      [300, 513],
    ] as const) {
      const proof = await proveConsistency(first, second, reader(second))
      const before = { size: first, root: root(first) }
      const after = { size: second, root: root(second) }
      expect(verifyConsistency(before, after, proof)).toBe(true)
      expect(verifyConsistency({ ...before, root: changed(before.root) }, after, proof)).toBe(false)
      expect(verifyConsistency(before, { ...after, root: changed(after.root) }, proof)).toBe(false)
      expect(verifyConsistency({ ...before, size: first + 1 }, after, proof)).toBe(false)
      expect(verifyConsistency(after, before, proof)).toBe(false)
      expect(verifyConsistency(before, after, proof.slice(0, -1))).toBe(false)
      expect(verifyConsistency(before, after, [...proof, leaf(0)])).toBe(false)
      for (const place of proof.keys()) {
        const path = proof.map((hash, at) => (at === place ? changed(hash) : hash))
        expect(verifyConsistency(before, after, path)).toBe(false)
      }
    }
  })

  it('is refused for a fork with the same beginning and another later entry', async () => {
    const forked = leaves.map((hash, index) => (index === 40 ? leaf(699) : hash))
    const proof = await proveConsistency(50, 100, reader(100))
    const before = { size: 50, root: referenceRoot(forked.slice(0, 50)) }
    expect(verifyConsistency(before, { size: 100, root: root(100) }, proof)).toBe(false)
  })

  it('is accepted from the empty tree only with the root of the empty tree', () => {
    const after = { size: 3, root: root(3) }
    expect(verifyConsistency({ size: 0, root: emptyRoot }, after, [])).toBe(true)
    expect(verifyConsistency({ size: 0, root: root(3) }, after, [])).toBe(false)
    expect(verifyConsistency({ size: 0, root: emptyRoot }, after, [leaf(0)])).toBe(false)
  })

  it('throws when the first tree is larger than the second', async () => {
    await expect(proveConsistency(6, 5, reader(5))).rejects.toThrow(RangeError)
  })
})
