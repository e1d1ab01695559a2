/**
 * Programs whose id is the address of a document about them (OAuth Client ID Metadata Document, draft 02). The document is read through the guard
 * of webhooks when a browser arrives. All instances share a copy, by which tokens are refreshed also while its host is away.
 */
import type { IncomingMessage } from 'node:http'
import type { Configuration } from 'oidc-provider'
import { db } from '@/lib/db/client'
import { findUrlFault } from '@/lib/domain/webhooks/guard'
import { fetchJson } from '@/lib/domain/webhooks/send'
import { oauthRoutes } from '@/lib/kernel/request/oauth-paths'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { documentHostOf, programSeconds } from './connection'
import { recordHash } from './hashes'
import { Provider } from './library'

const bounds = { timeoutMs: 3_000, bytesMax: 16 * 1024 }
/** How many documents a process reads at the same time. */
const readsMax = 20
/** A change of a document counts after this time. */
const freshSeconds = hour

/** Reading a document costs as much as so many pages. */
const documentCost = 20

/** Lets the caller of a request spend as much as so many pages: returns whether it may. */
export const fetchLimits = new WeakMap<IncomingMessage, (pages: number) => Promise<boolean>>()

/** Whether the copy of a document is too old to send a browser to the addresses in it. */
export function isStaleDocument(clientId: string, readAt: Date, now: Date): boolean {
  const isArrival = Provider.ctx?.path === oauthRoutes.authorization
  return isArrival && documentHostOf(clientId) !== null && secondsAfter(readAt, freshSeconds) <= now
}

let reads = 0

/** Reads a document for the library. */
const readDocument: Configuration['fetch'] = async (url) => {
  reads++
  try {
    return await fetchJson(String(url), bounds)
  } finally {
    reads--
  }
}

interface DocumentOptions {
  fetch: Configuration['fetch']
  feature: NonNullable<Configuration['features']>['clientIdMetadataDocument']
}

/** The options of the library for such programs. */
export const documentOptions = {
  fetch: readDocument,
  feature: {
    ack: 'draft-02',
    async allowFetch(context, clientId) {
      const request = context?.req
      const mayFetch = request && fetchLimits.get(request)
      if (mayFetch === undefined || findUrlFault(clientId) !== null || reads >= readsMax) return false
      // After an error, the library asks a second time.
      fetchLimits.delete(request)
      return mayFetch(documentCost)
    },
    async allowClient(_context, client) {
      const now = readClock()
      await db().run`
        INSERT INTO "OAuthRecord" ("hash", "kind", "payload", "createdAt", "expiresAt")
        VALUES (${recordHash('Client', client.clientId)}, 'Client', ${JSON.stringify(client.metadata())}::jsonb,
          ${now}::timestamptz, ${secondsAfter(now, programSeconds)}::timestamptz)
        ON CONFLICT ("hash") DO UPDATE SET "payload" = EXCLUDED."payload", "createdAt" = EXCLUDED."createdAt",
          "expiresAt" = GREATEST("OAuthRecord"."expiresAt", EXCLUDED."expiresAt")`
      return true
    },
    // The copy in the database takes the place of the library's cache.
    cacheDuration: { min: 1, max: 1 },
  },
} satisfies DocumentOptions
