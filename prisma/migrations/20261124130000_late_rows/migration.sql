-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN "lateAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Outbox_late_idx" ON "Outbox"("lateAt") WHERE (("lateAt" IS NOT NULL) AND ("failedAt" IS NULL));
