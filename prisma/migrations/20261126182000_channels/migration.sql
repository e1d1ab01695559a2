-- CreateEnum
CREATE TYPE "ChannelKind" AS ENUM ('push', 'ntfy', 'chat', 'webhook');

-- AlterTable
ALTER TABLE "NotificationSettings" ADD COLUMN     "highBreaksQuiet" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mailAnnounces" "RiskLevel"[] DEFAULT ARRAY['high']::"RiskLevel"[],
ADD COLUMN     "pausedUntil" TIMESTAMPTZ(3),
ADD COLUMN     "showsSeen" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN     "host" TEXT;

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "notifiedAt" TIMESTAMPTZ(3),
ADD COLUMN     "rings" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "seenAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "Channel" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "name" TEXT NOT NULL,
    "target" BYTEA NOT NULL,
    "targetHash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "format" TEXT,
    "secret" BYTEA,
    "announces" "RiskLevel"[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "sessionId" TEXT,
    "lastTriedAt" TIMESTAMPTZ(3),
    "lastSucceededAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "failingSince" TIMESTAMPTZ(3),

    CONSTRAINT "Channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PeckAnnouncement" (
    "peckId" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "triedAt" TIMESTAMPTZ(3),
    "announcedAt" TIMESTAMPTZ(3),
    "failedAt" TIMESTAMPTZ(3),
    "remindedAt" TIMESTAMPTZ(3),
    "withdrawnAt" TIMESTAMPTZ(3),
    "summaryId" TEXT,

    CONSTRAINT "PeckAnnouncement_pkey" PRIMARY KEY ("peckId","channelId")
);

-- CreateIndex
CREATE UNIQUE INDEX "Channel_ducklingId_targetHash_key" ON "Channel"("ducklingId", "targetHash");

-- CreateIndex
CREATE INDEX "PeckAnnouncement_createdAt_idx" ON "PeckAnnouncement"("createdAt");

-- CreateIndex
CREATE INDEX "PeckAnnouncement_ducklingId_idx" ON "PeckAnnouncement"("ducklingId");

-- CreateIndex
CREATE INDEX "PeckAnnouncement_summaryId_idx" ON "PeckAnnouncement"("summaryId");

-- CreateIndex
CREATE INDEX "Outbox_host_idx" ON "Outbox"("host", "dueAt") WHERE ((host IS NOT NULL) AND ("failedAt" IS NULL));
