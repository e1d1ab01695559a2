-- Who made what before an address was proven, known devices, fair webhook queues, merged notices, daily limits, recovery of
-- passkeys and links in mails (contract, part F).

-- AlterEnum
ALTER TYPE "CeremonyPurpose" ADD VALUE 'confirm';

-- DropIndex
DROP INDEX "Outbox_failedAt_dueAt_idx";

-- DropIndex
DROP INDEX "Peck_askerId_targetDucklingId_status_decidedAt_idx";

-- AlterTable
ALTER TABLE "Agent" ADD COLUMN     "sessionId" TEXT;

-- AlterTable
ALTER TABLE "AuditChain" ADD COLUMN     "stoppedSessions" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "AuditEvent" ADD COLUMN     "contextDigest" TEXT,
ADD COLUMN     "salt" BYTEA;

-- AlterTable
ALTER TABLE "BeakKey" ADD COLUMN     "refusedAt" TIMESTAMPTZ(3),
ADD COLUMN     "sessionId" TEXT;

-- AlterTable
ALTER TABLE "Ceremony" ADD COLUMN     "sessionId" TEXT;

-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "settingsSessionIds" TEXT[],
ADD COLUMN     "signupSessionId" TEXT;

-- AlterTable
ALTER TABLE "Handshake" ADD COLUMN     "sessionId" TEXT;

-- AlterTable
ALTER TABLE "OtpCode" ADD COLUMN     "deviceId" TEXT;

-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN     "ducklingId" TEXT,
ADD COLUMN     "endpointId" TEXT;

-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN     "sessionId" TEXT;

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "askedBySession" TEXT,
ADD COLUMN     "decidedBySession" TEXT;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "passkeyAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WebhookEndpoint" ADD COLUMN     "pausedUntil" TIMESTAMPTZ(3),
ADD COLUMN     "sessionId" TEXT,
ADD COLUMN     "timeouts" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "DeviceToken" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "sessionId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DeviceToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookQueue" (
    "ducklingId" TEXT NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookQueue_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateTable
CREATE TABLE "Notice" (
    "ducklingId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "count" INTEGER NOT NULL,
    "mailedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Notice_pkey" PRIMARY KEY ("ducklingId","kind")
);

-- CreateTable
CREATE TABLE "DailyCount" (
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "DailyCount_pkey" PRIMARY KEY ("name","key","day")
);

-- CreateTable
CREATE TABLE "PasskeyRecovery" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PasskeyRecovery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MailLink" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "subjectId" TEXT,
    "tokenHash" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MailLink_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DeviceToken_ducklingId_id_idx" ON "DeviceToken"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "DeviceToken_expiresAt_idx" ON "DeviceToken"("expiresAt");

-- CreateIndex
CREATE INDEX "WebhookQueue_dueAt_idx" ON "WebhookQueue"("dueAt");

-- CreateIndex
CREATE INDEX "Notice_mailedAt_idx" ON "Notice"("mailedAt");

-- CreateIndex
CREATE INDEX "DailyCount_day_idx" ON "DailyCount"("day");

-- CreateIndex
CREATE UNIQUE INDEX "PasskeyRecovery_ducklingId_key" ON "PasskeyRecovery"("ducklingId");

-- CreateIndex
CREATE INDEX "PasskeyRecovery_dueAt_idx" ON "PasskeyRecovery"("dueAt");

-- CreateIndex
CREATE INDEX "MailLink_ducklingId_kind_idx" ON "MailLink"("ducklingId", "kind");

-- CreateIndex
CREATE INDEX "MailLink_address_kind_expiresAt_idx" ON "MailLink"("address", "kind", "expiresAt");

-- CreateIndex
CREATE INDEX "MailLink_expiresAt_idx" ON "MailLink"("expiresAt");

-- CreateIndex
CREATE INDEX "Duckling_phone_idx" ON "Duckling"("phone");

-- CreateIndex
CREATE INDEX "Outbox_kind_failedAt_dueAt_idx" ON "Outbox"("kind", "failedAt", "dueAt");

-- CreateIndex
CREATE INDEX "Outbox_endpointId_dueAt_idx" ON "Outbox"("endpointId", "dueAt");

-- CreateIndex
CREATE INDEX "Outbox_ducklingId_claimedUntil_idx" ON "Outbox"("ducklingId", "claimedUntil");

-- CreateIndex
CREATE INDEX "Peck_requesterDucklingId_targetDucklingId_status_decidedAt_idx" ON "Peck"("requesterDucklingId", "targetDucklingId", "status", "decidedAt");

-- AddForeignKey
ALTER TABLE "DeviceToken" ADD CONSTRAINT "DeviceToken_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Sessions that signed in with a passkey were confirmed by it.
UPDATE "Session" SET "passkeyAt" = "authTime" WHERE 'pop' = ANY("amr");

-- Where an unproven account has had one session only, everything in it was made by that session.
CREATE TEMPORARY TABLE "only_session" AS
  SELECT s."ducklingId", min(s."id") AS "sessionId" FROM "Session" s
  JOIN "Duckling" d ON d."id" = s."ducklingId" AND d."emailVerifiedAt" IS NULL AND d."deletedAt" IS NULL
  GROUP BY s."ducklingId" HAVING count(*) = 1;
UPDATE "Duckling" t SET "signupSessionId" = o."sessionId" FROM "only_session" o WHERE t."id" = o."ducklingId";
UPDATE "Passkey" t SET "sessionId" = o."sessionId" FROM "only_session" o WHERE t."ducklingId" = o."ducklingId";
UPDATE "Agent" t SET "sessionId" = o."sessionId" FROM "only_session" o WHERE t."ducklingId" = o."ducklingId";
UPDATE "BeakKey" t SET "sessionId" = a."sessionId" FROM "Agent" a WHERE t."agentId" = a."id" AND a."sessionId" IS NOT NULL;
UPDATE "Handshake" t SET "sessionId" = a."sessionId" FROM "Agent" a WHERE t."agentId" = a."id" AND a."sessionId" IS NOT NULL;
UPDATE "WebhookEndpoint" t SET "sessionId" = o."sessionId" FROM "only_session" o WHERE t."ducklingId" = o."ducklingId";
UPDATE "Peck" t SET "askedBySession" = o."sessionId" FROM "only_session" o
  WHERE t."requesterDucklingId" = o."ducklingId" AND t."requesterAgentId" IS NULL;
UPDATE "Peck" t SET "decidedBySession" = o."sessionId" FROM "only_session" o
  WHERE t."targetDucklingId" = o."ducklingId" AND t."status" IN ('approved', 'rejected');
DROP TABLE "only_session";

-- Webhooks that are waiting join the queue of their account.
UPDATE "Outbox" t SET "endpointId" = e."id", "ducklingId" = e."ducklingId"
  FROM "WebhookDelivery" d JOIN "WebhookEndpoint" e ON e."id" = d."endpointId"
  WHERE t."kind" = 'webhook' AND d."id" = t."payload" ->> 'delivery_id';
INSERT INTO "WebhookQueue" ("ducklingId", "dueAt")
  SELECT "ducklingId", min("dueAt") FROM "Outbox" WHERE "ducklingId" IS NOT NULL AND "failedAt" IS NULL GROUP BY "ducklingId";

-- The one change of an audit event that is allowed: erasing salt, IP address and user agent of a closed account, whose hash covers
-- their digest. \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
  E'BEGIN
    IF TG_OP = ''UPDATE'' THEN
      IF OLD."contextDigest" IS NOT NULL AND NEW."salt" IS NULL AND NEW."ip" IS NULL AND NEW."userAgent" IS NULL
        AND to_jsonb(NEW) - ''{salt,ip,userAgent}''::text[] = to_jsonb(OLD) - ''{salt,ip,userAgent}''::text[]
        AND EXISTS (SELECT 1 FROM "AuditChain" c WHERE c."ducklingId" = OLD."ducklingId" AND c."closed")
      THEN RETURN NEW\x3b END IF\x3b
    END IF\x3b
    RAISE EXCEPTION ''audit events are append-only'' USING ERRCODE = ''insufficient_privilege''\x3b
  END';
