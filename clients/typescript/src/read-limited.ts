/** Returns the bytes of a stream, or null as soon as there are more than `bytesMax`. A missing stream has no bytes. */
export async function readLimited(
  stream: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength
    parts.push(part.value)
    if (size > bytesMax) {
      await reader?.cancel().catch(() => undefined)
      return null
    }
  }
  return joinBytes(parts, size)
}

/** Returns the parts as one array of `size` bytes. */
export function joinBytes(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
