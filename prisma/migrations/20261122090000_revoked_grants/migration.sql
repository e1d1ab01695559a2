-- Indexes for lists of revoked permissions, which are few.

-- CreateIndex
CREATE INDEX "Peck_revoked_received_idx" ON "Peck"("targetDucklingId", "id" DESC) WHERE ("grantRevokedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Peck_revoked_sent_idx" ON "Peck"("requesterDucklingId", "id" DESC) WHERE ("grantRevokedAt" IS NOT NULL);
