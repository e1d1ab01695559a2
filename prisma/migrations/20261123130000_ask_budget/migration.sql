-- Budgets per day, and the pauses after rejections that a target has lifted.

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "pauseLiftedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "Budget" (
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "refilledAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("name","key")
);

-- CreateIndex
CREATE INDEX "Budget_refilledAt_idx" ON "Budget"("refilledAt");
