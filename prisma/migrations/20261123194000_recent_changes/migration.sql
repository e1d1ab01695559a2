-- CreateTable
CREATE TABLE "RecentChange" (
    "ducklingId" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RecentChange_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateIndex
CREATE INDEX "RecentChange_changedAt_idx" ON "RecentChange"("changedAt");
