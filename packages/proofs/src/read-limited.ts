import { joined } from './bytes'

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
  return joined(...parts)
}
