-- CreateIndex
CREATE INDEX "Peck_sent_to_others_idx" ON "Peck"("requesterDucklingId", "id" DESC) WHERE ("requesterDucklingId" <> "targetDucklingId");
