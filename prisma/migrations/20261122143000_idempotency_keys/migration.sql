-- Calls with an Idempotency-Key, and their answers.

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" BYTEA NOT NULL,
    "ducklingId" TEXT,
    "fingerprint" BYTEA NOT NULL,
    "claim" BYTEA NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "answer" BYTEA,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "IdempotencyKey_ducklingId_idx" ON "IdempotencyKey"("ducklingId");

-- CreateIndex
CREATE INDEX "IdempotencyKey_expiresAt_idx" ON "IdempotencyKey"("expiresAt");
