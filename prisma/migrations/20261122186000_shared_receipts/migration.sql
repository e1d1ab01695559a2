-- CreateTable
CREATE TABLE "SharedReceipt" (
    "id" TEXT NOT NULL,
    "peckId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "withValues" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SharedReceipt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "SharedReceipt_peckId_ducklingId_key" ON "SharedReceipt"("peckId", "ducklingId");

-- CreateIndex
CREATE INDEX "SharedReceipt_ducklingId_idx" ON "SharedReceipt"("ducklingId");
