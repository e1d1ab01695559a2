/** Returns the bytes of a stream, or null as soon as there are more than `bytesMax`. A missing stream has no bytes. */
export async function readLimited(
  stream: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
