/** The statements of `by-hand-accounts.mjs` and `by-hand-mails.mjs`. */
import { appendEvents } from './by-hand-events.mjs'
import { isLive } from './by-hand-statements.mjs'

/** Nobody else requests a code for the address $1 until the transaction ends. */
const addressLock = `SELECT pg_advisory_xact_lock(hashtextextended('code:' || $1::text, 0))`

/** `allowed` has one row when the network $2 may request a code for the address $1 at $3. */
const sending = `
  sent AS (
    SELECT count(*) FILTER (WHERE "requester" = $2 AND "createdAt" > $3::timestamptz - interval '10 minutes') AS "lately",
      count(*) FILTER (WHERE "requester" = $2) AS "today", count(*) AS "ofAll"
    FROM "OtpCode" WHERE "address" = $1 AND "createdAt" > $3::timestamptz - interval '1 day' AND "deviceId" IS NULL
  ), allowed AS (
    SELECT 1 FROM sent WHERE "lately" < 3 AND "today" < 20 AND "ofAll" < 60
  )`

/** Adds the row of the outbox for a code, which this process has claimed until $6. */
const codeQueued = (from) => `
  INSERT INTO "Outbox" ("kind", "payload", "attempts", "dueAt", "claimedUntil", "createdAt")
  SELECT 'code', $5::jsonb, 1, $3::timestamptz, $6::timestamptz, $3::timestamptz FROM ${from} RETURNING "id"`

const signUp = `
  WITH ${sending}, created AS (
    INSERT INTO "Duckling" ("id", "email", "displayName", "referralCode", "signupSessionId", "createdAt")
    SELECT $7, $1, $8, $9, $10, $3::timestamptz FROM allowed
    WHERE NOT EXISTS (
      SELECT 1 FROM "MailLink" WHERE "kind" = 'email_undo' AND "address" = $1 AND "usedAt" IS NULL AND "expiresAt" > $3::timestamptz)
    ON CONFLICT DO NOTHING RETURNING "id"
  ), code AS (
    INSERT INTO "OtpCode" ("id", "purpose", "address", "ducklingId", "requester", "createdAt")
    SELECT $4, 'signup', $1, "id", $2, $3::timestamptz FROM created
  ), queued AS (${codeQueued('created')}
  ), started AS (
    INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "ip", "userAgent", "kid", "tokenHash")
    SELECT $10, created."id", '{}', $3::timestamptz, $3::timestamptz, $11::timestamptz, $12, $13, k."kid", $15::bytea
    FROM created JOIN "SigningKey" k ON k."kid" = $14 AND k."distrustedAt" IS NULL RETURNING 1
  ), counted AS (
    INSERT INTO "MetricDelta" ("name", "delta") SELECT 'registered_ducklings', 1 FROM created
  )
  SELECT queued."id", require_condition(EXISTS (SELECT 1 FROM started), 'the key is trusted'), (${appendEvents('$16')})
  FROM queued`

const requestSignInCode = `
  WITH ${sending}, created AS (
    INSERT INTO "OtpCode" ("id", "purpose", "address", "requester", "createdAt")
    SELECT $4, 'signin', $1, $2, $3::timestamptz FROM allowed
  ), queued AS (${codeQueued('allowed')}
  )
  SELECT "id", (SELECT "id" FROM "Duckling" WHERE "email" = $1 AND "deletedAt" IS NULL) AS "owner" FROM queued`

/** Stores the hashes of codes ($2 owners, $3 hashes) that nobody has spent or revoked, and resets the tries ($5, $6). */
const storeHashes = `
  WITH stored AS (
    UPDATE "OtpCode" o SET "ducklingId" = c."owner", "codeHash" = c."hash", "expiresAt" = $4::timestamptz
    FROM unnest($1::text[], $2::text[], $3::bytea[]) AS c ("id", "owner", "hash")
    WHERE o."id" = c."id" AND o."id" = ANY($1::text[]) AND o."spentAt" IS NULL AND o."signinSpentAt" IS NULL AND o."deadAt" IS NULL
      AND EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = c."owner" AND "deletedAt" IS NULL)
    RETURNING c."owner"
  ), reset AS (
    UPDATE "OtpGuard" g SET "tries" = 0 FROM unnest($5::text[], $6::text[]) AS r ("subject", "purpose")
    WHERE g."subject" = r."subject" AND g."purpose" = r."purpose"::"OtpPurpose"
  ), recorded AS (
    ${appendEvents('$7')} WHERE e."duckling_id" IN (SELECT "owner" FROM stored)
  )
  SELECT "owner" FROM stored, recorded`

const deleteQueued = `DELETE FROM "Outbox" WHERE "id" = ANY($1::bigint[])`

/** Counts a try in "OtpGuard" g, unless none is left. `max`: wrong codes in a row after which codes are locked. */
const counting = (max) => `
  ON CONFLICT ("subject", "purpose") DO UPDATE SET "tries" = CASE WHEN g."failures" < ${max} THEN g."tries" + 1 ELSE 1 END,
    "failures" = CASE WHEN g."failures" < ${max} THEN g."failures" + 1 ELSE 1 END, "pausedUntil" = NULL, "updatedAt" = EXCLUDED."updatedAt"
  WHERE (g."tries" < 5 OR g."failures" >= ${max}) AND (g."pausedUntil" IS NULL OR g."pausedUntil" <= EXCLUDED."updatedAt") RETURNING 1`

const newestCodes = (condition) => `
  (SELECT "id", "address", "codeHash" FROM "OtpCode" WHERE ${condition} AND "deviceId" IS NULL AND "deadAt" IS NULL ORDER BY "createdAt" DESC LIMIT 2)`

/** Counts a try of the owner $1 with the session $2 and the digest $3 at $4. Returns the live codes. */
const tryVerification = `
  WITH counted AS (
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "tries", "failures", "updatedAt")
    SELECT $1, 'verify_email', 1, 1, $4::timestamptz WHERE ${isLive} ${counting(100)}
  )
  SELECT code."id" AS "codeId", code."address", code."codeHash" FROM counted CROSS JOIN LATERAL ${newestCodes(`"ducklingId" = $1 AND "purpose" IN ('verify_email', 'signup')
    AND "address" = (SELECT "email" FROM "Duckling" WHERE "id" = $1) AND "spentAt" IS NULL AND "expiresAt" > $4::timestamptz`)} code`

const verify = `
  WITH spent AS (
    UPDATE "OtpCode" SET "spentAt" = $3::timestamptz WHERE "id" = $2 AND "deadAt" IS NULL AND "spentAt" IS NULL RETURNING 1
  ), reset AS (
    UPDATE "OtpGuard" SET "tries" = 0, "failures" = 0, "pausedUntil" = NULL, "updatedAt" = $3::timestamptz
    FROM spent WHERE "subject" = $1 AND "purpose" = 'verify_email'
  ), raised AS (
    UPDATE "Duckling" SET "emailVerifiedAt" = $3::timestamptz, "trustTier" = 'T1', "listed" = "directoryVisible"
    FROM spent WHERE "id" = $1 AND "trustTier" = 'T0' AND "email" = $4 AND "emailVerifiedAt" IS NULL AND "referredByCode" IS NULL
      AND "deletedAt" IS NULL AND "suspendedAt" IS NULL RETURNING 1
  )
  SELECT require_condition(EXISTS (SELECT 1 FROM raised), 'the code is live, and the account is at T0')`

/** Nothing in the account "Duckling" d may be from another session than $2 when the address is proven: it would have to be removed. */
const noOthersData = `
  (d."passwordHash" IS NULL OR d."signupSessionId" = $2)
  AND NOT EXISTS (SELECT 1 FROM unnest(d."settingsSessionIds") AS s WHERE s <> $2)
  AND NOT EXISTS (SELECT 1 FROM "Session" WHERE "ducklingId" = $1 AND "id" <> $2)
  AND NOT EXISTS (SELECT 1 FROM "DeviceToken" WHERE "ducklingId" = $1 AND "sessionId" <> $2)
  AND NOT EXISTS (SELECT 1 FROM "Passkey" WHERE "ducklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "WebhookEndpoint" WHERE "ducklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "Channel" WHERE "ducklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "SsoToken" WHERE "ducklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "Agent" WHERE "ducklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "Peck" WHERE "requesterDucklingId" = $1)
  AND NOT EXISTS (SELECT 1 FROM "Peck" WHERE "targetDucklingId" = $1 AND "status" = 'approved')`

/** A statement of its own after the update, so that it sees a sign-in that committed before. */
const recordVerification = `
  SELECT require_condition(${noOthersData}, 'the account has nothing of another session'), (${appendEvents('$3')})
  FROM "Duckling" d WHERE d."id" = $1`

const liveSignInCode = `"ducklingId" = a."id" AND "purpose" IN ('signin', 'signup') AND "address" = $1 AND "signinSpentAt" IS NULL
  AND "expiresAt" > $3::timestamptz`

/** Counts a try for the address $1 from the network $2 at $3, also for an unknown address ($4). Returns the account with each live code. */
const trySignIn = `
  WITH account AS (
    SELECT "id", "trustTier" FROM "Duckling"
    WHERE "email" = $1 AND "deletedAt" IS NULL AND "suspendedAt" IS NULL AND "emailVerifiedAt" IS NOT NULL
  ), counted AS (
    SELECT COALESCE((SELECT "id" FROM account), $4) AS "id"
  ), networks AS (
    INSERT INTO "OtpGuard" AS g ("subject", "purpose", "failures", "updatedAt")
    SELECT "id", 'signin', 1, $3::timestamptz FROM counted
    ON CONFLICT ("subject", "purpose") DO UPDATE SET
      "failures" = CASE WHEN g."updatedAt" > $3::timestamptz - interval '1 day' THEN g."failures" + 1 ELSE 1 END,
      "pausedUntil" = CASE WHEN g."updatedAt" > $3::timestamptz - interval '1 day' AND g."failures" + 1 >= 60
        THEN $3::timestamptz + interval '1 day' END,
      "updatedAt" = EXCLUDED."updatedAt"
    WHERE g."pausedUntil" IS NULL OR g."pausedUntil" <= $3::timestamptz RETURNING 1
  ), network AS (
    INSERT INTO "OtpGuard" AS g ("subject", "account", "purpose", "tries", "failures", "updatedAt")
    SELECT "id" || '@' || $2, "id", 'signin', 1, 1, $3::timestamptz FROM counted, networks ${counting(20)}
  )
  SELECT a."id", a."trustTier", code."id" AS "codeId", code."codeHash" FROM network, account a CROSS JOIN LATERAL (
    ${newestCodes(`${liveSignInCode} AND "requester" = $2`)} UNION ALL ${newestCodes(liveSignInCode)}) code`

const signIn = `
  WITH spent AS (
    UPDATE "OtpCode" SET "signinSpentAt" = $3::timestamptz WHERE "id" = $2 AND "deadAt" IS NULL AND "signinSpentAt" IS NULL RETURNING 1
  ), reset AS (
    UPDATE "OtpGuard" SET "tries" = 0, "failures" = 0, "pausedUntil" = NULL, "updatedAt" = $3::timestamptz
    FROM spent WHERE "subject" = ANY($4::text[]) AND "purpose" = 'signin'
  ), device AS (
    INSERT INTO "DeviceToken" ("id", "ducklingId", "secretHash", "sessionId", "createdAt", "expiresAt")
    SELECT $11, $1, $12::bytea, $5, $3::timestamptz, $3::timestamptz + interval '180 days' FROM spent
  ), started AS (
    INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "ip", "userAgent", "kid", "tokenHash")
    SELECT $5, $1, '{otp}', $3::timestamptz, $3::timestamptz, $6::timestamptz, $7, $8, k."kid", $10::bytea
    FROM spent JOIN "SigningKey" k ON k."kid" = $9 AND k."distrustedAt" IS NULL RETURNING 1
  ), noticed AS (
    INSERT INTO "Notice" AS n ("ducklingId", "kind", "items", "count") SELECT $1, 'new_device', jsonb_build_array($13::jsonb), 1 FROM spent
    ON CONFLICT ("ducklingId", "kind") DO UPDATE SET "count" = n."count" + 1,
      "items" = CASE WHEN n."count" = 0 THEN EXCLUDED."items" WHEN n."count" < 5 THEN n."items" || EXCLUDED."items" ELSE n."items" END
    RETURNING "count", "mailedAt"
  ), queued AS (
    INSERT INTO "Outbox" ("kind", "payload", "attempts", "dueAt", "claimedUntil", "createdAt")
    SELECT 'notice', $14::jsonb, CASE WHEN "mailedAt" IS NULL THEN 1 ELSE 0 END, GREATEST($3::timestamptz, "mailedAt" + interval '10 minutes'),
      CASE WHEN "mailedAt" IS NULL THEN $15::timestamptz END, $3::timestamptz
    FROM noticed WHERE "count" = 1 RETURNING "id", "claimedUntil"
  )
  SELECT require_condition(EXISTS (SELECT 1 FROM started), 'the code is live, and the key is trusted'), (${appendEvents('$16')}),
    (SELECT "id" FROM queued WHERE "claimedUntil" IS NOT NULL) AS "noticeId"`

/** Removes all but 20 known devices. Runs after the event has locked the log of the account, so that no other sign-in runs it. */
const removeDevices = `
  WITH removed AS (
    DELETE FROM "DeviceToken" WHERE "id" IN (
      SELECT "id" FROM "DeviceToken" WHERE "ducklingId" = $1 ORDER BY "expiresAt" DESC, "id" DESC OFFSET 20) RETURNING "id"
  )
  DELETE FROM "OtpGuard" WHERE "subject" IN (SELECT "id" FROM removed)`

/** Counts the mail of the day, and makes the link with which the owner $3 ends the session $5. */
const makeDisownLink = `
  WITH counted AS (
    INSERT INTO "DailyCount" AS c ("name", "key", "day", "count") VALUES ('mail', $7, $6::timestamptz::date, 1)
    ON CONFLICT ("name", "key", "day") DO UPDATE SET "count" = c."count" + 1 WHERE c."count" < 15 RETURNING 1
  )
  INSERT INTO "MailLink" ("id", "kind", "ducklingId", "address", "subjectId", "tokenHash", "createdAt", "expiresAt")
  SELECT $1, 'disown', s."ducklingId", $4, s."id", $2::bytea, $6::timestamptz, s."expiresAt" FROM counted, "Session" s
  WHERE s."id" = $5 AND s."ducklingId" = $3 AND s."revokedAt" IS NULL AND s."expiresAt" > $6::timestamptz AND NOT 'pop' = ANY(s."amr")
    AND s."passkeyAt" IS NULL
  RETURNING "id"`

/** Removes the mailed sign-in from the notice. The row of the outbox stays, for Beak, when another sign-in came meanwhile. */
const finishNotice = `
  WITH finished AS (
    UPDATE "Notice" SET "count" = "count" - 1, "items" = "items" - 0, "mailedAt" = $2::timestamptz
    WHERE "ducklingId" = $1 AND "kind" = 'new_device' AND "count" >= 1 AND "mailedAt" IS NULL RETURNING "count"
  ), later AS (
    UPDATE "Outbox" SET "dueAt" = $2::timestamptz + interval '10 minutes', "claimedUntil" = NULL
    FROM finished WHERE "id" = $3 AND finished."count" > 0
  )
  DELETE FROM "Outbox" o USING finished WHERE o."id" = $3 AND finished."count" = 0`

/** All statements, by the names under which they are prepared. */
export const accountStatements = {
  addressLock,
  signUp,
  requestSignInCode,
  storeHashes,
  deleteQueued,
  tryVerification,
  verify,
  recordVerification,
  trySignIn,
  signIn,
  removeDevices,
  makeDisownLink,
  finishNotice,
}
