/** Writes gzip files whose bytes follow from their content alone. */
import { crc32 } from 'node:zlib'

const maxBlock = 0xffff

/** A block that holds its bytes as they are (RFC 1951, section 3.2.4). */
function storedBlock(bytes, isLast) {
  const head = Buffer.alloc(5)
  head.writeUInt8(isLast ? 1 : 0, 0)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ maxBlock, 3)
  return Buffer.concat([head, bytes])
}

/**
 * Returns a gzip file (RFC 1952) with the bytes, not compressed. Other versions of zlib compress to other bytes, and people compare the
 * digest of a package that a host built with the digest in the notes of the release.
 * @param {Buffer} bytes
 */
export function storedGzip(bytes) {
  const blocks = []
  for (let start = 0; start === 0 || start < bytes.length; start += maxBlock)
    blocks.push(storedBlock(bytes.subarray(start, start + maxBlock), start + maxBlock >= bytes.length))
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(bytes), 0)
  tail.writeUInt32LE(bytes.length >>> 0, 4)
  return Buffer.concat([head, ...blocks, tail])
}
