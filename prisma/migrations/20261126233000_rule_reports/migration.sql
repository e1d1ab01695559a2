-- AlterTable
ALTER TABLE "NotificationSettings" ADD COLUMN     "mailRules" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "RuleReport" (
    "ducklingId" TEXT NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "mailedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "RuleReport_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateIndex
CREATE INDEX "RuleReport_dueAt_idx" ON "RuleReport"("dueAt");
