-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "heldRejection" JSONB,
ADD COLUMN     "rejectAt" TIMESTAMPTZ(3),
ADD COLUMN     "snoozedUntil" TIMESTAMPTZ(3),
ADD COLUMN     "unclear" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "wouldApprove" JSONB;

-- CreateIndex
CREATE INDEX "Peck_held_idx" ON "Peck"("rejectAt") WHERE ("rejectAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Peck_snoozed_idx" ON "Peck"("targetDucklingId", "snoozedUntil") WHERE ("snoozedUntil" IS NOT NULL);
