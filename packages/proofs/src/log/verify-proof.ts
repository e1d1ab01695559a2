/** Verifies inclusion and consistency proofs as in RFC 9162, sections 2.1.3.2 and 2.1.4.2. */
import { areEqual, bytesOfBase64 } from '../bytes'
import { emptyRoot, hashLength, hashOfNode } from './merkle'

/** The size of a tree and its root hash. */
interface Tree {
  size: number
  root: Uint8Array
}

/** The numbers of a node and of the last node of its level: `fn` and `sn` of RFC 9162. */
interface Place {
  node: number
  last: number
}

function isTreeSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0
}

/** Bit operations of JavaScript have only 32 bits. */
const isOdd = (number: number) => number % 2 === 1
const half = (number: number) => Math.floor(number / 2)

const parentOf = ({ node, last }: Place): Place => ({ node: half(node), last: half(last) })

/** Returns the first place on the way to the root, this one included, whose node number satisfies `isEnd`. */
function climb(place: Place, isEnd: (node: number) => boolean): Place {
  let current = place
  while (!isEnd(current.node)) current = parentOf(current)
  return current
}

/** Returns whether the next hash of a proof is on the left. A last node without a sibling joins one at a higher level. */
const hasLeftSibling = ({ node, last }: Place) => isOdd(node) || node === last
const climbToLeftSibling = (place: Place) => climb(place, (node) => isOdd(node) || node === 0)

/** Returns whether `proof` shows that a leaf with that hash is number `index` of the tree with that root. */
export function verifyInclusion(
  leafHash: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isTreeSize(size) || !isTreeSize(index) || index >= size) return false
  let place: Place = { node: index, last: size - 1 }
  let hash: Uint8Array = leafHash
  for (const sibling of proof) {
    if (place.last === 0) return false
    if (hasLeftSibling(place)) {
      hash = hashOfNode(sibling, hash)
      place = climbToLeftSibling(place)
    } else hash = hashOfNode(hash, sibling)
    place = parentOf(place)
  }
  return place.last === 0 && areEqual(hash, root)
}

/** Returns whether `proof` shows that the first tree is the beginning of the second. */
export function verifyConsistency(first: Tree, second: Tree, proof: readonly Uint8Array[]): boolean {
  if (!isTreeSize(first.size) || !isTreeSize(second.size) || first.size > second.size) return false
  if (first.size === second.size) return proof.length === 0 && areEqual(first.root, second.root)
  if (first.size === 0) return proof.length === 0 && areEqual(emptyRoot, first.root)
  let place = climb({ node: first.size - 1, last: second.size - 1 }, (node) => !isOdd(node))
  // A first tree whose size is a power of two is a subtree of the second: the proof leaves its root out.
  const [start, ...rest] = place.node === 0 ? [first.root, ...proof] : proof
  if (start === undefined) return false
  let [firstHash, secondHash] = [start, start]
  for (const sibling of rest) {
    if (place.last === 0) return false
    if (hasLeftSibling(place)) {
      firstHash = hashOfNode(sibling, firstHash)
      secondHash = hashOfNode(sibling, secondHash)
      place = climbToLeftSibling(place)
    } else secondHash = hashOfNode(secondHash, sibling)
    place = parentOf(place)
  }
  const isProven = areEqual(firstHash, first.root) && areEqual(secondHash, second.root)
  return place.last === 0 && isProven
}

/** Returns whether hashes in base64 show that a leaf with that hash is number `index` of the tree. Malformed hashes show nothing. */
export function isIncluded(
  leafHash: Uint8Array,
  index: number,
  { size, root }: Tree,
  proof: readonly string[],
): boolean {
  const hashes = proof.map(bytesOfBase64).filter((hash) => hash?.length === hashLength)
  return (
    hashes.length === proof.length &&
    verifyInclusion(
      leafHash,
      index,
      size,
      hashes.flatMap((hash) => hash ?? []),
      root,
    )
  )
}
