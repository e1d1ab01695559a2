/** The statements of `by-hand-pecks.mjs`. Conditions leave out the cases that the benchmark does not make: then a statement has no row. */
import { appendEvents } from './by-hand-events.mjs'
import { isLive, iso } from './by-hand-statements.mjs'

/** The agent "a" of a valid key $1 with the digest $2, for an operator who may act. */
const bondedAgent = `
  FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."agentId" JOIN "Duckling" d ON d."id" = a."ducklingId"
  WHERE k."id" = $1 AND k."secretHash" = $2 AND k."retiredAt" IS NULL AND k."expiresAt" > now() AND a."status" = 'bonded'
    AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`

/** Locks the agent of a key, and then its operator and the target $3, as Beak does. */
const lockAsker = `
  WITH agent AS MATERIALIZED (
    SELECT a."id", a."name", a."ducklingId" ${bondedAgent} AND 'request:peck' = ANY(a."capabilities") FOR SHARE OF a
  )
  SELECT "name", pg_advisory_xact_lock(hashtextextended('peck:' || "ducklingId" || ':' || $3, 0)) FROM agent`

const agentOfKey = `SELECT a."id", a."ducklingId" ${bondedAgent}`

/** The facts of a request of the agent $2 of $1 to the target $3 for the action $4 at $5. The target has approved something of the agent. */
const requestFacts = `
  SELECT a."name" AS "agentName", a."createdAt" AS "agentCreatedAt", r."displayName" AS "askerName", r."trustTier" AS "askerTier",
    t."displayName" AS "targetName",
    EXISTS (SELECT 1 FROM "AskerHistory" h WHERE h."targetDucklingId" = $3 AND h."askerId" = $2 AND h."action" = $4 AND h."approved" > 0) AS "isApproved"
  FROM "Duckling" t, "Duckling" r, "Agent" a
  WHERE t."id" = $3 AND r."id" = $1 AND a."id" = $2 AND t."deletedAt" IS NULL AND r."deletedAt" IS NULL AND t."suspendedAt" IS NULL
    AND t."emailVerifiedAt" IS NOT NULL AND r."trustTier" >= t."minPeckTier" AND num_nulls(t."fullName", t."handle", r."fullName", r."handle") = 4
    AND EXISTS (SELECT 1 FROM "AskerHistory" h WHERE h."targetDucklingId" = $3 AND h."askerId" = $2 AND h."approved" > 0)
    AND NOT EXISTS (SELECT 1 FROM "PeckBlock" WHERE "ducklingId" = $3 AND "blockedDucklingId" = $1)
    AND NOT EXISTS (SELECT 1 FROM "Peck" WHERE "pendingKey" = $6)
    AND NOT EXISTS (
      SELECT 1 FROM "Peck" WHERE "requesterDucklingId" = $1 AND "targetDucklingId" = $3 AND "status" = 'rejected'
        AND "decidedAt" > $5::timestamptz - interval '2 days')
    AND NOT EXISTS (
      SELECT 1 FROM "Peck" WHERE "requesterDucklingId" = $1 AND "targetDucklingId" = $3 AND "status" = 'pending' AND "rejectAt" <= $5::timestamptz)
    AND 10 > (SELECT count(*) FROM "Peck" WHERE "requesterDucklingId" = $1 AND "targetDucklingId" = $3 AND "status" = 'pending'
      AND "expiresAt" > $5::timestamptz)
    AND NOT EXISTS (SELECT 1 FROM "Rule" WHERE "ducklingId" = $3 AND "subjectId" IN ($1, $2) AND "status" <> 'ended')
    AND NOT EXISTS (SELECT 1 FROM "NotificationSettings" WHERE "ducklingId" = $3)
    AND NOT EXISTS (SELECT 1 FROM "Channel" WHERE "ducklingId" = $3)
  FOR SHARE OF t, r`

/** The budget of the benchmark: 100,000,000 requests a day of one operator to one target. */
const burst = '100000000::float8'
const refilled = `LEAST(${burst}, b."tokens" + GREATEST(0, extract(epoch FROM $8::timestamptz - b."refilledAt")) / 86400 * ${burst})`

const noWebhooks = (...accounts) =>
  `NOT EXISTS (SELECT 1 FROM "WebhookEndpoint" WHERE "ducklingId" IN (${accounts}) AND "enabled")`

const insertPeck = `
  WITH budget AS (
    INSERT INTO "Budget" AS b ("name", "key", "tokens", "refilledAt") VALUES ('ask', $2 || ' ' || $4, ${burst} - 1, $8::timestamptz)
    ON CONFLICT ("name", "key") DO UPDATE SET "tokens" = ${refilled} - 1, "refilledAt" = GREATEST(b."refilledAt", EXCLUDED."refilledAt")
    WHERE ${refilled} >= 1 RETURNING 1
  ), history AS (
    INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked", "askedAt") VALUES ($4, $3, $5, 1, $8::timestamptz)
    ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "asked" = h."asked" + 1, "askedAt" = EXCLUDED."askedAt"
  ), peck AS (
    INSERT INTO "Peck" ("id", "requesterDucklingId", "requesterAgentId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash",
      "receiptSeed", "status", "createdAt", "expiresAt", "pendingKey", "grantSeconds", "riskLevel", "riskReasons")
    SELECT $1, $2, $3, $3, $4, $5, 'limited', '{}', $6, $7::bytea, 'pending', $8::timestamptz, $9::timestamptz, $10, 86400, 'low', $11
    FROM budget RETURNING 1
  ), waiting AS (
    INSERT INTO "PeckMail" ("peckId", "ducklingId", "remindAt") VALUES ($1, $4, $9::timestamptz - interval '6 hours') RETURNING "ducklingId"
  ), scheduled AS (
    INSERT INTO "PeckNotice" AS n ("ducklingId", "isScheduled") SELECT "ducklingId", true FROM waiting
    ON CONFLICT ("ducklingId") DO UPDATE SET "isScheduled" = true, "round" = n."round" + 1 WHERE NOT n."isScheduled"
    RETURNING "ducklingId", "round", "mailedAt"
  ), queued AS (
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT 'peck_mail', jsonb_build_object('duckling_id', "ducklingId", 'round', "round"),
      GREATEST($8::timestamptz, "mailedAt" + interval '10 minutes'), $8::timestamptz FROM scheduled
  )
  SELECT require_condition(EXISTS (SELECT 1 FROM peck) AND ${noWebhooks('$2', '$4')}, 'there is budget, and no webhook'), (${appendEvents('$12')})`

/** What the answers have of a peck "p". */
const columns = `p."id", p."askerId", p."requesterDucklingId" AS "requesterId", p."targetDucklingId" AS "targetId", p."action", p."paramsHash",
  p."receiptSeed", p."statementDigest", p."displayed", ${iso('p."createdAt"')} AS "createdAt", ${iso('p."expiresAt"')} AS "expiresAt",
  ${iso('p."decidedAt"')} AS "decidedAt", ${iso('p."grantExpiresAt"')} AS "grantExpiresAt", ${iso('p."lastUsedAt"')} AS "lastUsedAt", p."uses",
  p."maxUses", r."displayName" AS "askerName", r."trustTier" AS "askerTier", t."displayName" AS "targetName", a."name" AS "agentName"`
/** Finds a peck "p" with `condition` first, so that the planner takes no partial index for the other conditions. */
const peckWith = (condition) => `WITH p AS MATERIALIZED (SELECT * FROM "Peck" WHERE ${condition})`

/** Joins one row each. The limit keeps the planner from starting with another table. */
const sides = `
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = p."requesterDucklingId" LIMIT 1) r
  CROSS JOIN LATERAL (SELECT * FROM "Duckling" WHERE "id" = p."targetDucklingId" LIMIT 1) t
  CROSS JOIN LATERAL (SELECT * FROM "Agent" WHERE "id" = p."requesterAgentId" LIMIT 1) a`
const isUsual = `p."params" = '{}' AND p."scope" = 'limited' AND p."ruleId" IS NULL AND NOT p."requireSigned" AND NOT p."blocked"
  AND r."suspendedAt" IS NULL AND t."suspendedAt" IS NULL`

/** Locks a pending peck to the owner $1 of the session $2 with the digest $3, who may approve it without a passkey. */
const lockPending = `
  ${peckWith('"id" = $4 FOR NO KEY UPDATE')}
  SELECT ${columns} FROM p ${sides}
  WHERE p."targetDucklingId" = $1 AND p."status" = 'pending' AND p."expiresAt" > now() AND p."rejectAt" IS NULL
    AND p."riskLevel" = 'low' AND NOT t."requirePasskeyForPecks" AND t."approverCovers" IS NULL AND ${isUsual} AND ${isLive}`

const approvePeck = `
  WITH approved AS (
    UPDATE "Peck" SET "status" = 'approved', "decidedAt" = $2::timestamptz, "statementDigest" = $3::bytea, "grantExpiresAt" = $4::timestamptz,
      "maxUses" = 1, "displayed" = $5, "decidedBySession" = $6, "pendingKey" = NULL
    WHERE "id" = $1 AND "decidedAt" IS NULL RETURNING "createdAt"
  ), token AS (
    INSERT INTO "GrantToken" ("hash", "peckId", "kid", "sealed", "createdAt", "expiresAt")
    SELECT $7::bytea, $1, $8, $9::bytea, $2::timestamptz, $10::timestamptz FROM approved
  ), known AS (
    UPDATE "Peck" SET "stranger" = false WHERE "requesterDucklingId" = $13 AND "targetDucklingId" = $12 AND "status" = 'pending'
      AND "askerId" = $14 AND "stranger" AND "id" <> $1
  ), history AS (
    INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked", "askedAt", "approved", "approvedAt", "approvedParams")
    SELECT $12, $14, $15, 1, "createdAt", 1, $2::timestamptz, '{}' FROM approved
    ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "approved" = h."approved" + 1, "approvedAt" = EXCLUDED."approvedAt",
      "approvedParams" = EXCLUDED."approvedParams"
  ), counted AS (
    INSERT INTO "MetricDelta" ("name", "delta") SELECT 'completed_pecks', 1 FROM approved
  ), logged AS (
    INSERT INTO "LogQueue" ("kind", "digest", "ducklingId", "subjectId") SELECT 'decided', $11::bytea, $12, $1 FROM approved
  )
  SELECT require_condition(EXISTS (SELECT 1 FROM approved) AND ${noWebhooks('$12', '$13')}, 'the peck is pending, and there is no webhook'),
    (${appendEvents('$16')})`

/** The peck $3 of an agent with an active permission, and its newest grant token that a trusted key signed. */
const status = `
  ${peckWith('"id" = $3')}
  SELECT ${columns}, token."sealed" FROM p ${sides}
  CROSS JOIN LATERAL (
    SELECT g."sealed" FROM "GrantToken" g JOIN "SigningKey" k ON k."kid" = g."kid"
    WHERE g."peckId" = p."id" AND k."distrustedAt" IS NULL ORDER BY g."createdAt" DESC LIMIT 1) token
  WHERE a."status" = 'bonded' AND p."askerId" = (
      SELECT "agentId" FROM "BeakKey" WHERE "id" = $1 AND "secretHash" = $2 AND "retiredAt" IS NULL AND "expiresAt" > now())
    AND 'read:peck' = ANY(a."capabilities") AND p."status" = 'approved' AND p."grantRevokedAt" IS NULL AND p."grantExpiresAt" > now()
    AND p."uses" < p."maxUses" AND ${isUsual}`

/** Locks the peck of the grant token with the digest $1 when its permission is active and meant for requests with the params $2 (a hash). */
const lockGranted = `
  ${peckWith('"id" = (SELECT "peckId" FROM "GrantToken" WHERE "hash" = $1 AND "expiresAt" > now()) FOR NO KEY UPDATE')}
  SELECT ${columns} FROM p ${sides}
  WHERE p."paramsHash" = $2 AND p."status" = 'approved' AND p."grantRevokedAt" IS NULL
    AND p."grantExpiresAt" > now() AND p."uses" < p."maxUses" AND a."status" = 'bonded' AND p."approval" IS NULL AND p."audience" IS NULL
    AND ${isUsual}`

const spendGrant = `
  WITH spent AS (
    UPDATE "Peck" SET "uses" = "uses" + 1, "lastUsedAt" = $2::timestamptz
    WHERE "id" = $1 AND "uses" < "maxUses" RETURNING "uses"
  ), used AS (
    INSERT INTO "PeckUse" ("peckId", "number", "usedAt") SELECT $1, "uses", $2::timestamptz FROM spent
    ON CONFLICT ("peckId", "number") DO UPDATE SET "usedAt" = EXCLUDED."usedAt", "audience" = EXCLUDED."audience"
  ), logged AS (
    INSERT INTO "LogQueue" ("kind", "digest", "ducklingId", "subjectId") SELECT 'used', $3::bytea, $4, $1 FROM spent
  )
  SELECT require_condition(EXISTS (SELECT 1 FROM spent) AND ${noWebhooks('$4', '$5')}, 'a use is left, and there is no webhook'),
    (${appendEvents('$6')})`

/** All statements, by the names under which they are prepared. */
export const peckStatements = {
  agentOfKey,
  lockAsker,
  requestFacts,
  insertPeck,
  lockPending,
  approvePeck,
  status,
  lockGranted,
  spendGrant,
}
