-- Indexes of the limits and of the worker without approved pecks, which are most of them.

-- DropIndex
DROP INDEX "Peck_requesterDucklingId_targetDucklingId_status_decidedAt_idx";

-- DropIndex
DROP INDEX "Peck_status_expiresAt_idx";

-- CreateIndex
CREATE INDEX "Peck_limits_idx" ON "Peck"("requesterDucklingId", "targetDucklingId", "status", "decidedAt") WHERE (status = ANY (ARRAY['pending'::"PeckStatus", 'rejected'::"PeckStatus"]));

-- CreateIndex
CREATE INDEX "Peck_due_idx" ON "Peck"("expiresAt") WHERE ((status = 'pending'::"PeckStatus") AND ("pendingKey" IS NOT NULL));
