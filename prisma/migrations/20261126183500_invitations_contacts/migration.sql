-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "invitationId" TEXT;

-- CreateTable
CREATE TABLE "Contact" (
    "ducklingId" TEXT NOT NULL,
    "askerId" TEXT NOT NULL,
    "note" TEXT,
    "alwaysAt" TIMESTAMPTZ(3),
    "sessionId" TEXT,

    CONSTRAINT "Contact_pkey" PRIMARY KEY ("ducklingId","askerId")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "sealed" BYTEA,
    "agentId" TEXT,
    "action" TEXT,
    "maxUses" INTEGER,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "lastUsedAt" TIMESTAMPTZ(3),
    "note" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "sessionId" TEXT,

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Contact_askerId_idx" ON "Contact"("askerId");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_tokenHash_key" ON "Invitation"("tokenHash");

-- CreateIndex
CREATE INDEX "Invitation_ducklingId_id_idx" ON "Invitation"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Invitation_expiresAt_idx" ON "Invitation"("expiresAt");

-- CreateIndex
CREATE INDEX "Invitation_endedAt_idx" ON "Invitation"("endedAt");
