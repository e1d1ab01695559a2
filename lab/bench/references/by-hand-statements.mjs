/** Statements and parts of statements of `by-hand.mjs`. */
/** Returns a time as an ISO 8601 text. */
export const iso = (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Rows of the owner $1 of the session $2 with the digest $3. None when the session is not live. */
export const isLive = `EXISTS (
  SELECT 1 FROM "Session" s JOIN "Duckling" d ON d."id" = s."ducklingId"
  WHERE s."id" = $2 AND s."tokenHash" = $3 AND s."revokedAt" IS NULL AND s."expiresAt" > now() AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL)`

export const agentList = `
  SELECT a."id", a."name", a."type", a."capabilities", a."status", a."allowQueryKey", ${iso('a."createdAt"')} AS "createdAt", ${iso('a."bondedAt"')} AS "bondedAt",
    ${iso('a."lastSeenAt"')} AS "lastSeenAt", k."id" AS "keyId", k."tierScope", ${iso('k."createdAt"')} AS "keyCreatedAt", ${iso('k."expiresAt"')} AS "keyExpiresAt",
    ${iso('k."lastUsedAt"')} AS "lastUsedAt", k."uses"
  FROM (SELECT * FROM "Agent" WHERE "ducklingId" = $1 AND "status" <> 'deregistered' ORDER BY "id" DESC LIMIT 21) a
  JOIN LATERAL (SELECT *, (sum("deadUses") OVER ())::int AS "uses" FROM "BeakKey" WHERE "agentId" = a."id" ORDER BY "id" DESC LIMIT 1) k ON true
  WHERE ${isLive} ORDER BY a."id" DESC`
