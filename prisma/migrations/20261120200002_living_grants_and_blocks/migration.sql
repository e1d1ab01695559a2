-- CreateIndex
CREATE INDEX "Peck_living_grants_idx" ON "Peck"("targetDucklingId", "grantExpiresAt") WHERE ((status = 'approved'::"PeckStatus") AND ("grantRevokedAt" IS NULL));

-- CreateIndex
CREATE INDEX "PeckBlock_ducklingId_createdAt_blockedDucklingId_idx" ON "PeckBlock"("ducklingId", "createdAt" DESC, "blockedDucklingId" DESC);
