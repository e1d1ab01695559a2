/**
 * Where the authorization server keeps its state: one row for each code, token, grant, client and consent in progress. Rows are found by a digest,
 * because the id of a code or a token is the secret itself. So a copy of the database opens nothing.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import {
  type EndReason,
  endConnection,
  findConnectedScopes,
  openConnection,
  programSeconds,
} from './connection'
import { isStaleDocument } from './documents'
import { grantHashOf, recordHash } from './hashes'
import { errors, Provider } from './library'
import { storeSelfRegistered } from './self-registered'
import { findSiteClient, isSiteId } from './site-client'
import { findAllowedScopes } from './site-sign-ins'

/** Seconds in which a refresh token may be used again: a second window of the same program, or a repeat after a lost answer. */
const refreshGraceSeconds = 30

/** NUL and half characters, which the database refuses, as they stand in JSON. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Kinds that count only while the connection of their grant has its key, or the sign-in at a site lasts. */
const needsGrant = new Set(['AccessToken', 'Grant', 'RefreshToken'])

interface RecordRow {
  payload: AdapterPayload
  consumedAt: Date | null
  createdAt: Date
}

/** Makes the store of one kind of records, in the form that oidc-provider asks for (its `Adapter`). */
export function recordsOf(kind: string): Adapter {
  const hashOf = (id: string) => recordHash(kind, id)
  return {
    async upsert(id, { jti: _secret, ...payload }, expiresIn) {
      // Nothing reads it: only the session of Beak says who a browser is.
      if (kind === 'Session') return
      if (kind === 'Client' && isSiteId(id)) return storeSelfRegistered(id, payload)
      const now = readClock()
      // A request of a site has the grant of the sign-in before, and outlasts it.
      const grant = kind === 'Grant' ? id : kind === 'Interaction' ? undefined : payload.grantId
      const grantHash = grant === undefined ? null : grantHashOf(grant)
      const expiresAt = secondsAfter(now, expiresIn ?? programSeconds)
      const json = JSON.stringify(payload)
      if (unstorable.test(json)) throw new errors.InvalidRequest('a text has a character that is none')
      const values = sql`${hashOf(id)}, ${kind}, ${json}::jsonb, ${grantHash}, ${now}::timestamptz, ${expiresAt}::timestamptz`
      // Two uses of one refresh token make the same successor, also at once. The second must not make a used one unused.
      const change =
        kind === 'RefreshToken'
          ? sql`NOTHING`
          : sql`UPDATE SET "payload" = EXCLUDED."payload", "expiresAt" = EXCLUDED."expiresAt"`
      await db().run`
        INSERT INTO "OAuthRecord" ("hash", "kind", "payload", "grantHash", "createdAt", "expiresAt") VALUES (${values})
        ON CONFLICT ("hash") DO ${change}`
    },

    async find(id) {
      if (kind === 'Client' && isSiteId(id)) return findSiteClient(id)
      if (kind === 'PushedAuthorizationRequest') return takePushed(hashOf(id))
      const now = readClock()
      const [row] = await db().rows<RecordRow>`
        SELECT "payload", "consumedAt", "createdAt" FROM "OAuthRecord"
        WHERE "hash" = ${hashOf(id)} AND ("expiresAt" IS NULL OR "expiresAt" > ${now}::timestamptz)`
      if (row === undefined || (kind === 'Client' && isStaleDocument(id, row.createdAt, now)))
        return undefined
      const { payload, consumedAt } = row
      const grant = kind === 'Grant' ? id : payload.grantId
      if (needsGrant.has(kind)) {
        if (grant === undefined || !(await tighten(payload, grantHashOf(grant)))) return undefined
      }
      const isUsed = consumedAt !== null && !(kind === 'RefreshToken' && isInGrace(consumedAt, now))
      return { ...payload, jti: id, ...(isUsed ? { consumed: secondsOf(consumedAt) } : {}) }
    },

    /** Spends a code or a refresh token. Of simultaneous uses of a code one succeeds, and opens the connection. */
    async consume(id) {
      const now = readClock()
      if (kind === 'AuthorizationCode') {
        if (!(await openConnection(hashOf(id), now))) throw new errors.InvalidGrant('the code was used')
        return
      }
      await db().run`
        UPDATE "OAuthRecord" SET "consumedAt" = ${now}::timestamptz WHERE "hash" = ${hashOf(id)} AND "consumedAt" IS NULL`
    },

    async destroy(id) {
      // The library does so when a program gives its tokens back, and when a code or a refresh token is used twice.
      const reason = Provider.ctx?.oidc.route === 'revocation' ? 'given_back' : 'token_reused'
      if (kind === 'Grant') await endGrant(grantHashOf(id), reason)
      await db().run`DELETE FROM "OAuthRecord" WHERE "hash" = ${hashOf(id)}`
    },

    async revokeByGrantId(grantId) {
      await db()
        .run`DELETE FROM "OAuthRecord" WHERE "grantHash" = ${grantHashOf(grantId)} AND "kind" = ${kind}`
    },

    // Browsers stay signed in by the session of Beak alone, and devices have a flow of their own.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  }
}

/**
 * Takes a pushed request, of which the first browser that arrives with it gets the page. The library would let it be used until somebody has decided, and
 * once more after it expired.
 */
async function takePushed(hash: Uint8Array): Promise<AdapterPayload | undefined> {
  const [row] = await db().rows<{ payload: AdapterPayload }>`
    DELETE FROM "OAuthRecord" WHERE "hash" = ${hash} AND "expiresAt" > ${readClock()}::timestamptz RETURNING "payload"`
  return row?.payload
}

/** Limits a grant to what the person allows now, which may be less than when it was stored. Returns false when it has ended. */
async function tighten(payload: AdapterPayload, grantHash: Uint8Array): Promise<boolean> {
  const isSite = isSiteId(payload.clientId)
  const scopes: string[] | null = isSite
    ? await findAllowedScopes(grantHash)
    : await findConnectedScopes(grantHash)
  if (scopes === null) return false
  // A program has resources, a site has none.
  const resources = (payload.resources ?? {}) as Record<string, string>
  for (const resource in resources) resources[resource] = scopes.join(' ')
  const openid = payload.openid as { scope?: string } | undefined
  if (isSite && openid?.scope !== undefined)
    openid.scope = openid.scope
      .split(' ')
      .filter((scope) => scope === 'openid' || scopes.includes(scope))
      .join(' ')
  return true
}

async function endGrant(grantHash: Uint8Array, reason: EndReason): Promise<void> {
  const now = readClock()
  await endConnection(grantHash, reason, now)
  await transaction((tx) => endSiteSignIns(tx, sql`"grantHash" = ${grantHash}`, now))
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

function isInGrace(consumedAt: Date, now: Date): boolean {
  return now.getTime() - consumedAt.getTime() <= refreshGraceSeconds * 1000
}
