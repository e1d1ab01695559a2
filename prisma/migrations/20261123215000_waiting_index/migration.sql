-- DropIndex
DROP INDEX "Peck_waiting_idx";

-- CreateIndex
CREATE INDEX "Peck_waiting_idx" ON "Peck"("targetDucklingId", "id" DESC, "expiresAt", "stranger", "rejectAt", "snoozedUntil") WHERE ((status = 'pending'::"PeckStatus") AND (NOT blocked));
