/**
 * Rules that rows of several tables keep together. Each query returns the ids of the rows that break its rule. A rule holds at every moment,
 * also between the steps of the worker, and whatever was purged: so every row that is found is a fault.
 */

/** The rule, as a sentence without a full stop, and the query for the rows that break it. */
type Rules = Readonly<Record<string, string>>

/** How often the log of each account has uses and decisions of each peck. Read once, because an account may have very many of both. */
const eventsOfPecks = `
  events AS (
    SELECT e."ducklingId", t."id",
      count(*) FILTER (WHERE e."action" = 'peck.consumed') AS "uses",
      count(*) FILTER (WHERE e."action" = 'peck.approved') AS "approvals",
      count(*) FILTER (WHERE e."action" = 'peck.rejected') AS "rejections"
    FROM "AuditEvent" e CROSS JOIN LATERAL jsonb_to_recordset(e."targets") AS t("type" text, "id" text)
    WHERE e."action" IN ('peck.consumed', 'peck.approved', 'peck.rejected') AND e."outcome" = 'success' AND t."type" = 'peck'
    GROUP BY 1, 2
  ), counted AS (
    SELECT p.*, COALESCE(e."uses", 0) AS "usesInLog", COALESCE(e."approvals", 0) AS "approvals", COALESCE(e."rejections", 0) AS "rejections"
    FROM "Peck" p LEFT JOIN events e ON e."id" = p."id" AND e."ducklingId" = p."targetDucklingId")`

/** Whether the log of the target takes events: it ends when its account is closed. */
const hasOpenLog = `NOT EXISTS (SELECT 1 FROM "AuditChain" c WHERE c."ducklingId" = p."targetDucklingId" AND c."closed")`

const spentOnce: Rules = {
  'A permission is used at most as often as it allows': `
    SELECT "id" FROM "Peck" WHERE "uses" > "maxUses" OR "uses" < 0 OR ("uses" > 0 AND "status" <> 'approved')`,
  'A use that is listed was counted': `
    SELECT u."peckId" || ' ' || u."number" AS "id" FROM "PeckUse" u LEFT JOIN "Peck" p ON p."id" = u."peckId"
    WHERE p."id" IS NULL OR u."number" < 1 OR u."number" > p."uses"`,
  'An invitation is used at most as often as it allows, and keeps its link only until its end': `
    SELECT "id" FROM "Invitation"
    WHERE "uses" > "maxUses" OR ("uses" = "maxUses" AND "endedAt" IS NULL) OR ("endedAt" IS NULL) <> ("sealed" IS NOT NULL)`,
  'Every request with an invitation was counted': `
    SELECT i."id" FROM "Invitation" i JOIN "Peck" p ON p."invitationId" = i."id" GROUP BY i."id", i."uses" HAVING count(*) <> i."uses"`,
  'A rule has counted each of its answers once, and no money twice': `
    SELECT r."id" FROM "Rule" r LEFT JOIN LATERAL (
      SELECT count(*) AS "uses", sum(u."cost") AS "amount" FROM "RuleUse" u
      WHERE u."ruleId" = r."id" AND u."state" IN ('reserved', 'spent')
        AND (COALESCE(u."countedPeriod", u."period", '') = COALESCE(r."period", '') OR u."nextPeriod" = r."period" OR u."epoch" <> r."epoch")
    ) u ON true
    WHERE r."uses" <> (SELECT count(*) FROM "RuleUse" c WHERE c."ruleId" = r."id" AND c."state" IN ('reserved', 'spent'))
      OR r."amount" > COALESCE(u."amount", 0) OR r."periodUses" > COALESCE(u."uses", 0)`,
  'An answer of a rule lies within the budget of its time': `
    SELECT "peckId" || ' ' || "ruleId" AS "id" FROM "RuleUse" WHERE "state" <> 'watched' AND (
      ("after" ->> 'uses')::bigint > ("limits" ->> 'uses')::bigint
      OR ("after" ->> 'period_uses')::bigint > ("limits" ->> 'uses_each')::bigint
      OR ("after" ->> 'amount')::bigint > ("limits" ->> 'amount')::bigint)`,
  'A request says which rule answered exactly when the rule has the answer': `
    SELECT COALESCE(p."id", u."peckId") AS "id" FROM (SELECT "id", "ruleId" FROM "Peck" WHERE "ruleId" IS NOT NULL) p
    FULL JOIN (SELECT "peckId", "ruleId" FROM "RuleUse" WHERE "state" <> 'watched') u ON u."peckId" = p."id" AND u."ruleId" = p."ruleId"
    WHERE p."id" IS NULL OR u."peckId" IS NULL`,
  'What went back into the budget of a rule was not used': `
    SELECT u."peckId" AS "id" FROM "RuleUse" u JOIN "Peck" p ON p."id" = u."peckId" WHERE u."state" = 'returned' AND p."uses" > 0`,
  'The log of a target has one event for each use of a permission': `
    WITH ${eventsOfPecks} SELECT p."id" FROM counted p WHERE p."status" = 'approved' AND p."uses" <> p."usesInLog"`,
  'The log of a target has one decision for each decided peck, and none for others': `
    WITH ${eventsOfPecks} SELECT p."id" FROM counted p
    WHERE p."approvals" <> CASE WHEN p."status" = 'approved' THEN 1 ELSE 0 END
      OR p."rejections" > CASE WHEN p."status" = 'rejected' THEN 1 ELSE 0 END
      OR (p."status" = 'rejected' AND NOT p."blocked" AND p."rejections" = 0 AND ${hasOpenLog})`,
  'Only a peck that waits has a key against duplicates, and only a decided one has the time': `
    SELECT "id" FROM "Peck" WHERE ("status" <> 'pending' AND "pendingKey" IS NOT NULL) OR ("status" IN ('approved', 'rejected', 'cancelled')) <> ("decidedAt" IS NOT NULL)`,
  'A grant token belongs to an approved peck': `
    SELECT encode(t."hash", 'hex') AS "id" FROM "GrantToken" t LEFT JOIN "Peck" p ON p."id" = t."peckId"
    WHERE p."status" IS DISTINCT FROM 'approved'`,
  'Every digest of a decision, a use or a revocation is in the transparency log once': `
    WITH entries AS (
      SELECT "kind", encode("digest", 'hex') AS "digest" FROM "LogPending"
      UNION ALL SELECT "kind", encode("digest", 'hex') FROM "LogQueue"
      UNION ALL SELECT "kind", convert_from("data", 'UTF8')::jsonb ->> 'digest' FROM "LogEntry")
    SELECT "digest" AS "id" FROM entries WHERE "kind" IN ('decided', 'used', 'revoked') GROUP BY "kind", "digest" HAVING count(*) > 1`,
  'Every event with a digest has its entry in the transparency log, or the entry waits': `
    SELECT e."id" FROM "AuditEvent" e
    WHERE e."metadata" ->> 'log_digest' IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM "LogPending" w WHERE encode(w."digest", 'hex') = e."metadata" ->> 'log_digest')
      AND NOT EXISTS (SELECT 1 FROM "LogQueue" w WHERE encode(w."digest", 'hex') = e."metadata" ->> 'log_digest')
      AND NOT EXISTS (SELECT 1 FROM "LogEntry" l WHERE convert_from(l."data", 'UTF8')::jsonb ->> 'digest' = e."metadata" ->> 'log_digest')`,
  'The head of an audit log is in the transparency log, or waits': `
    SELECT c."ducklingId" AS "id" FROM "AuditChain" c
    WHERE NOT c."logPending" AND NOT EXISTS (
      SELECT 1 FROM "LogEntry" l WHERE l."ducklingId" = c."ducklingId" AND l."seq" = c."seq" AND l."kind" = 'chain_head')`,
}

/** After a restore, messages of a backup are not sent. */
const isRestoredLater = (row: string) =>
  `EXISTS (SELECT 1 FROM "OperatorAction" a WHERE a."command" LIKE 'restore %' AND a."startedAt" >= ${row}."createdAt")`

const queues: Rules = {
  'A code that was requested within ten minutes and not made yet waits to be sent': `
    SELECT o."id" FROM "OtpCode" o
    WHERE o."ducklingId" IS NOT NULL AND o."deviceId" IS NULL AND o."codeHash" IS NULL AND o."expiresAt" IS NULL
      AND o."spentAt" IS NULL AND o."signinSpentAt" IS NULL AND o."deadAt" IS NULL AND o."createdAt" > now() - interval '10 minutes'
      AND NOT EXISTS (SELECT 1 FROM "Outbox" r WHERE r."kind" IN ('code', 'text_code') AND r."payload" ->> 'otp_id' = o."id")`,
  'A message about a code has its code': `
    SELECT r."id"::text AS "id" FROM "Outbox" r
    WHERE r."kind" IN ('code', 'text_code') AND r."failedAt" IS NULL AND r."createdAt" > now() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM "OtpCode" o WHERE o."id" = r."payload" ->> 'otp_id')`,
  'A link that has no token yet waits to be sent': `
    SELECT l."id" FROM "MailLink" l
    WHERE l."tokenHash" IS NULL AND l."usedAt" IS NULL AND l."createdAt" > now() - interval '10 minutes' AND NOT ${isRestoredLater('l')}
      AND NOT EXISTS (SELECT 1 FROM "Outbox" r WHERE r."kind" = 'link' AND r."payload" ->> 'link_id' = l."id")`,
  'Collected notices have a message': `
    SELECT n."ducklingId" || ' ' || n."kind" AS "id" FROM "Notice" n
    WHERE n."count" > 0 AND NOT EXISTS (
      SELECT 1 FROM "Outbox" r
      WHERE r."kind" IN ('notice', 'notice_since_0_3') AND r."failedAt" IS NULL AND NOT r."payload" ? 'facts'
        AND r."payload" ->> 'duckling_id' = n."ducklingId" AND r."payload" ->> 'notice' = n."kind")`,
  'Pecks that wait for a mail to their target have a message': `
    SELECT DISTINCT m."ducklingId" AS "id" FROM "PeckMail" m LEFT JOIN "PeckNotice" n ON n."ducklingId" = m."ducklingId"
    WHERE m."stage" IN ('announce', 'remind') AND NOT EXISTS (
      SELECT 1 FROM "Outbox" r
      WHERE r."kind" = 'peck_mail' AND r."failedAt" IS NULL AND r."payload" ->> 'duckling_id' = m."ducklingId"
        AND (r."payload" ->> 'round')::int = n."round")`,
  'Pecks that wait for a mail about high risks have a message': `
    SELECT DISTINCT m."ducklingId" AS "id" FROM "PeckMail" m
    WHERE m."stage" = 'alert' AND m."mailId" IS NULL AND NOT EXISTS (
      SELECT 1 FROM "Outbox" r
      WHERE r."kind" = 'peck_alert' AND r."failedAt" IS NULL AND r."payload" ->> 'peck_id' = m."peckId")`,
  'A delivery that waits has one message': `
    SELECT d."id" FROM "WebhookDelivery" d LEFT JOIN (
      SELECT "payload" ->> 'delivery_id' AS "id", COALESCE(("payload" ->> 'round')::int, 0) AS "round", count(*) AS "count"
      FROM "Outbox" WHERE "kind" = 'webhook' AND "failedAt" IS NULL GROUP BY 1, 2) r ON r."id" = d."id" AND r."round" = d."round"
    WHERE d."status" = 'pending' AND COALESCE(r."count", 0) <> 1`,
  'A webhook that no worker has claimed has its delivery, and its account is in the queue': `
    SELECT r."id"::text AS "id" FROM "Outbox" r
    WHERE r."kind" = 'webhook' AND r."failedAt" IS NULL AND r."claimedUntil" IS NULL AND (
      NOT EXISTS (SELECT 1 FROM "WebhookDelivery" d WHERE d."id" = r."payload" ->> 'delivery_id')
      OR NOT EXISTS (SELECT 1 FROM "WebhookQueue" q WHERE q."ducklingId" = r."ducklingId"))`,
  'A channel took an announcement only after an attempt, and reminds and withdraws only then': `
    SELECT a."peckId" || ' ' || a."channelId" AS "id" FROM "PeckAnnouncement" a
    WHERE (a."announcedAt" IS NOT NULL AND (a."triedAt" IS NULL OR a."failedAt" IS NOT NULL))
      OR (a."remindedAt" IS NOT NULL AND (a."remindTriedAt" IS NULL OR a."remindFailedAt" IS NOT NULL))
      OR (a."announcedAt" IS NULL AND (a."remindedAt" IS NOT NULL OR a."withdrawnAt" IS NOT NULL))`,
  'A log whose addresses must be erased waits for it': `
    SELECT DISTINCT e."ducklingId" AS "id" FROM "AuditEvent" e JOIN "AuditChain" c ON c."ducklingId" = e."ducklingId"
    WHERE c."closed" AND (e."ip" IS NOT NULL OR e."userAgent" IS NOT NULL OR e."salt" IS NOT NULL) AND NOT EXISTS (
      SELECT 1 FROM "Outbox" r WHERE r."kind" = 'erase_context' AND r."payload" ->> 'duckling_id' = e."ducklingId")`,
  'A list of stopped sessions waits to be cleared': `
    SELECT c."ducklingId" AS "id" FROM "AuditChain" c
    WHERE c."stoppedSessions" <> '{}' AND NOT EXISTS (
      SELECT 1 FROM "Outbox" r WHERE r."kind" = 'forget_stopped' AND r."payload" ->> 'duckling_id' = c."ducklingId")`,
}

const accounts: Rules = {
  'A closed account has no address, no live credential and no open peck': `
    SELECT d."id" FROM "Duckling" d WHERE d."deletedAt" IS NOT NULL AND (
      d."email" IS NOT NULL OR d."phone" IS NOT NULL OR d."handle" IS NOT NULL
      OR EXISTS (SELECT 1 FROM "Passkey" x WHERE x."ducklingId" = d."id")
      OR EXISTS (SELECT 1 FROM "Session" x WHERE x."ducklingId" = d."id" AND x."revokedAt" IS NULL AND x."expiresAt" > now())
      OR EXISTS (SELECT 1 FROM "SignInLink" x WHERE x."ducklingId" = d."id")
      OR EXISTS (SELECT 1 FROM "Channel" x WHERE x."ducklingId" = d."id")
      OR EXISTS (SELECT 1 FROM "Rule" x WHERE x."ducklingId" = d."id")
      OR EXISTS (SELECT 1 FROM "Certificate" x WHERE x."activeFor" = d."id")
      OR EXISTS (SELECT 1 FROM "Agent" x WHERE x."ducklingId" = d."id" AND x."status" <> 'deregistered')
      OR EXISTS (SELECT 1 FROM "Peck" x WHERE d."id" IN (x."requesterDucklingId", x."targetDucklingId") AND x."status" = 'pending' AND x."expiresAt" > now())
      OR EXISTS (SELECT 1 FROM "AuditChain" x WHERE x."ducklingId" = d."id" AND NOT x."closed"))`,
  'Only a closed account has a closed log': `
    SELECT c."ducklingId" AS "id" FROM "AuditChain" c JOIN "Duckling" d ON d."id" = c."ducklingId" WHERE c."closed" AND d."deletedAt" IS NULL`,
  'A suspended account has a suspended log and no session, and no other account has one': `
    SELECT d."id" FROM "Duckling" d JOIN "AuditChain" c ON c."ducklingId" = d."id"
    WHERE (d."suspendedAt" IS NOT NULL) <> c."suspended" OR (d."suspendedAt" IS NOT NULL AND EXISTS (
      SELECT 1 FROM "Session" x WHERE x."ducklingId" = d."id" AND x."revokedAt" IS NULL AND x."expiresAt" > now()))`,
  'Every account has a log': `
    SELECT d."id" FROM "Duckling" d WHERE NOT EXISTS (SELECT 1 FROM "AuditChain" c WHERE c."ducklingId" = d."id")`,
  'The directory lists visible accounts with a proved address': `
    SELECT "id" FROM "Duckling" WHERE "listed" <> ("directoryVisible" AND "trustTier" <> 'T0' AND "deletedAt" IS NULL AND "suspendedAt" IS NULL)`,
  'A tier above T0 has a proved address': `
    SELECT "id" FROM "Duckling" WHERE "trustTier" <> 'T0' AND "deletedAt" IS NULL AND "emailVerifiedAt" IS NULL`,
  'A handle belongs to the account that shows it': `
    SELECT d."id" FROM "Duckling" d WHERE d."handle" IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM "Handle" h WHERE h."name" = d."handle" AND h."ducklingId" = d."id" AND h."releasedAt" IS NULL)`,
  'A certificate is active exactly when it stands for its account': `
    SELECT "id" FROM "Certificate"
    WHERE ("status" = 'active') <> ("activeFor" IS NOT NULL) OR "activeFor" <> "ducklingId" OR ("status" = 'revoked') <> ("revokedAt" IS NOT NULL)`,
  'A key is valid exactly when it stands for its agent, and a deregistered agent has none': `
    SELECT k."id" FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."agentId"
    WHERE (k."activeFor" IS NOT NULL) <> (k."retiredAt" IS NULL) OR k."activeFor" <> k."agentId"
      OR (k."activeFor" IS NOT NULL AND a."status" = 'deregistered')`,
  'Only an agent that was not bonded has a handshake': `
    SELECT h."id" FROM "Handshake" h JOIN "Agent" a ON a."id" = h."agentId" WHERE a."bondedAt" IS NOT NULL OR a."status" = 'deregistered'`,
  'A bonded agent says when it was bonded': `
    SELECT "id" FROM "Agent" WHERE ("status" = 'bonded' AND "bondedAt" IS NULL) OR ("status" = 'deregistered') <> ("deregisteredAt" IS NOT NULL)`,
}

export const rules: Rules = { ...spentOnce, ...queues, ...accounts }
