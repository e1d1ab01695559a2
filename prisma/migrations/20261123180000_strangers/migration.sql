-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "stranger" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "PeckNotice" ADD COLUMN     "strangersAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Peck_strangers_idx" ON "Peck"("targetDucklingId", "id" DESC) WHERE ((status = 'pending'::"PeckStatus") AND stranger);
