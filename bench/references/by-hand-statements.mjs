/** The statements of `by-hand.mjs`. */
/** Returns a time as an ISO 8601 text. */
export const iso = (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Rows of the owner $1 of the session $2 with the digest $3. None when the session is not live. */
export const isLive = `EXISTS (
  SELECT 1 FROM "Session" s JOIN "Duckling" d ON d."id" = s."ducklingId"
  WHERE s."id" = $2 AND s."tokenHash" = $3 AND s."revokedAt" IS NULL AND s."expiresAt" > now() AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL)`

const history = `
  SELECT p."id", p."action", p."scope", p."params", p."paramsHash", p."message", p."reason", p."targetDucklingId", p."riskLevel", p."riskReasons",
    p."status", ${iso('p."createdAt"')} AS "createdAt", ${iso('p."expiresAt"')} AS "expiresAt", p."expiresAt" <= now() AS "isOver",
    p."grantSeconds", p."uses", p."maxUses", r."id" AS "askerId", r."displayName" AS "askerName", r."trustTier" AS "askerTier",
    ${iso('r."createdAt"')} AS "askerSince", (SELECT "displayName" FROM "Duckling" WHERE "id" = $1) AS "targetName"
  FROM (SELECT * FROM "Peck" WHERE "id" IN (
      SELECT "id" FROM (
        (SELECT "id" FROM "Peck" WHERE "requesterDucklingId" = $1 ORDER BY "id" DESC LIMIT 21)
        UNION (SELECT "id" FROM "Peck" WHERE "targetDucklingId" = $1 AND NOT "blocked" ORDER BY "id" DESC LIMIT 21)) found
      ORDER BY "id" DESC LIMIT 21)) p
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = p."requesterDucklingId" LIMIT 1) r
  WHERE ${isLive}
  ORDER BY p."id" DESC`

const audit = `
  SELECT "id", "ducklingId", "seq", "action", "outcome", ${iso('"occurredAt"')} AS "occurredAt", "actorType", "actorId", "targets", "ip", "userAgent",
    "contextDigest", translate(rtrim(encode("salt", 'base64'), '='), '+/', '-_') AS "salt", "requestId", "metadata", "prevHash", "hash"
  FROM "AuditEvent" WHERE "ducklingId" = $1 AND ${isLive} ORDER BY "seq" DESC LIMIT 21`

const sessions = `
  SELECT "id", ${iso('"createdAt"')} AS "createdAt", ${iso('"expiresAt"')} AS "expiresAt", ${iso('"authTime"')} AS "authTime", "amr", "ip", "userAgent", "name",
    ${iso('"lastSeenAt"')} AS "lastSeenAt"
  FROM "Session" WHERE "ducklingId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > now() AND ${isLive} ORDER BY "id" DESC LIMIT 21`

/** The approved devices of the owner that have not signed in. The benchmark has none. */
const devices = `
  SELECT r."id" FROM "DeviceRequest" r JOIN "Session" s ON s."id" = r."sessionId"
  WHERE r."ducklingId" = $1 AND r."status" = 'approved' AND r."expiresAt" > now() AND s."revokedAt" IS NULL AND s."expiresAt" > now()
  ORDER BY r."id" DESC`

const agents = `
  SELECT a."id", a."name", a."type", a."capabilities", a."status", a."allowQueryKey", ${iso('a."createdAt"')} AS "createdAt", ${iso('a."bondedAt"')} AS "bondedAt",
    ${iso('a."lastSeenAt"')} AS "lastSeenAt", k."id" AS "keyId", k."tierScope", ${iso('k."createdAt"')} AS "keyCreatedAt", ${iso('k."expiresAt"')} AS "keyExpiresAt",
    ${iso('k."lastUsedAt"')} AS "lastUsedAt", k."uses"
  FROM (SELECT * FROM "Agent" WHERE "ducklingId" = $1 AND "status" <> 'deregistered' ORDER BY "id" DESC LIMIT 21) a
  JOIN LATERAL (SELECT *, (sum("deadUses") OVER ())::int AS "uses" FROM "BeakKey" WHERE "agentId" = a."id" ORDER BY "id" DESC LIMIT 1) k ON true
  WHERE ${isLive} ORDER BY a."id" DESC`

const profile = (condition) => `
  SELECT d."id", d."displayName", d."fullName", d."handle", d."email", d."emailVerifiedAt" IS NOT NULL AS "hasEmail", d."phoneVerifiedAt" IS NOT NULL AS "hasPhone",
    d."trustTier", c."id" AS "certId", c."status" AS "certStatus", d."eggCount", d."referralCode", d."bio", d."directoryVisible", d."findableByEmail",
    d."requirePasskeyForPecks", d."minPeckTier", ${iso('d."createdAt"')} AS "createdAt"
  FROM "Duckling" d
  LEFT JOIN LATERAL (SELECT "id", "status" FROM "Certificate" WHERE "ducklingId" = d."id" ORDER BY "id" DESC LIMIT 1) c ON true
  WHERE ${condition}`

const ofSession = profile(`d."id" = $1 AND ${isLive}`)

const ofKey = profile(`d."suspendedAt" IS NULL AND d."deletedAt" IS NULL AND d."id" = (
  SELECT a."ducklingId" FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."agentId"
  WHERE k."id" = $1 AND k."secretHash" = $2 AND k."retiredAt" IS NULL AND k."expiresAt" > now() LIMIT 1)`)

const agentCheck = `
  SELECT a."id", a."name", a."type", a."capabilities", a."status", ${iso('a."bondedAt"')} AS "bondedAt", d."id" AS "ducklingId", d."displayName", d."trustTier", c."id" AS "certId"
  FROM "Agent" a
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = a."ducklingId" LIMIT 1) d
  LEFT JOIN LATERAL (SELECT "id" FROM "Certificate" WHERE "activeFor" = d."id" LIMIT 1) c ON true
  WHERE a."id" = $1`

const certificateCheck = `
  SELECT c."id", c."status", c."tier", ${iso('c."issuedAt"')} AS "issuedAt", c."credential", d."displayName", d."trustTier"
  FROM "Certificate" c CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = c."ducklingId" LIMIT 1) d
  WHERE c."id" = $1`

const directory = `
  SELECT d."id", d."displayName", d."trustTier", to_char(d."createdAt", 'YYYY-MM') AS "joined",
    EXISTS (SELECT 1 FROM "Certificate" WHERE "activeFor" = d."id") AS "certified",
    (SELECT count(*)::int FROM "Agent" WHERE "ducklingId" = d."id" AND "status" = 'bonded') AS "agents"
  FROM (SELECT * FROM "Duckling" WHERE "listed" ORDER BY "id" DESC LIMIT 21) d
  ORDER BY d."id" DESC`

const ssoCheck = `
  SELECT t."ducklingId", d."displayName", d."trustTier", t."targetDomain", t."scope", ${iso('t."createdAt"')} AS "createdAt", ${iso('t."expiresAt"')} AS "expiresAt"
  FROM "SsoToken" t
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = t."ducklingId" LIMIT 1) d
  CROSS JOIN LATERAL (SELECT * FROM "Session" WHERE "id" = t."sessionId" LIMIT 1) s
  WHERE t."id" = $1 AND t."secretHash" = $2 AND t."spentAt" IS NULL AND t."revokedAt" IS NULL AND t."expiresAt" > now()
    AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL AND s."revokedAt" IS NULL AND s."expiresAt" > now()`

/** All statements, by the names under which they are prepared. */
export const statements = {
  history,
  audit,
  sessions,
  devices,
  agents,
  ofSession,
  ofKey,
  agentCheck,
  certificateCheck,
  directory,
  ssoCheck,
}
