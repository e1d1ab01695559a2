/** Receives webhooks on `node:http`, Express and other servers with Node's requests. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { joined } from '@beak/proofs/bytes'
import { answerWebhook, type WebhookOptions, withDefaults } from './webhooks'

/**
 * Returns a listener that answers as `webhookHandler` does. It reads the raw body itself: in Express, mount it before `express.json()`.
 */
export function nodeWebhookHandler(
  options: WebhookOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { bytesMax } = withDefaults(options)
  return async (request, response) => {
    const read = () => readBody(request, bytesMax)
    const { status, text } = await answerWebhook(options, request.method ?? '', request.headers, read)
    if (response.destroyed) return
    if (status === 405) response.setHeader('Allow', 'POST')
    // The rest of a body that was not read must not be taken for the next request.
    if (!request.complete) response.setHeader('Connection', 'close')
    response.writeHead(status, status === 204 ? {} : { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end(text)
  }
}

/** Returns the raw body, or null as soon as there are more than `bytesMax`. Rejects when it breaks off, or was read before. */
function readBody(request: IncomingMessage, bytesMax: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    if (request.readableEnded || request.destroyed)
      reject(new Error('The body was read before: mount the webhook handler before every body parser.'))
    const parts: Uint8Array[] = []
    let size = 0
    const take = (part: Uint8Array) => {
      parts.push(part)
      size += part.byteLength
      if (size <= bytesMax) return
      request.off('data', take)
      request.resume()
      resolve(null)
    }
    request.on('data', take)
    request.on('end', () => resolve(joined(...parts)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('The connection broke before the whole body arrived.')))
  })
}
