-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "hiddenAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Peck_received_of_asker_idx" ON "Peck"("targetDucklingId", "askerId", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_received_action_idx" ON "Peck"("targetDucklingId", "action", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_sent_action_idx" ON "Peck"("requesterDucklingId", "action", "id" DESC);
