-- CreateIndex
CREATE INDEX "Peck_sent_grants_idx" ON "Peck"("requesterDucklingId", "grantExpiresAt") WHERE ((status = 'approved'::"PeckStatus") AND ("grantRevokedAt" IS NULL));
