-- An index of the pecks that wait for a target. Every page counts them, up to 1,000, from the index alone.

-- CreateIndex
CREATE INDEX "Peck_waiting_idx" ON "Peck"("targetDucklingId", "id" DESC, "expiresAt") WHERE ((status = 'pending'::"PeckStatus") AND (NOT blocked));
