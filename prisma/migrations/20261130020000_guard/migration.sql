-- CreateTable
CREATE TABLE "Guard" (
    "agentId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "computer" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "sessionHash" BYTEA,
    "startedAt" TIMESTAMPTZ(3),
    "heardAt" TIMESTAMPTZ(3) NOT NULL,
    "stoppedAt" TIMESTAMPTZ(3),
    "workAt" TIMESTAMPTZ(3),
    "unheardAt" TIMESTAMPTZ(3),
    "warns" BOOLEAN NOT NULL DEFAULT true,
    "alarmCause" TEXT,
    "alarmSince" TIMESTAMPTZ(3),
    "alarmAt" TIMESTAMPTZ(3),
    "dismissedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Guard_pkey" PRIMARY KEY ("agentId")
);

-- CreateIndex
CREATE INDEX "Guard_ducklingId_idx" ON "Guard"("ducklingId");

-- CreateIndex
CREATE INDEX "Guard_workAt_idx" ON "Guard"("workAt");

-- CreateIndex
CREATE INDEX "Guard_unheardAt_idx" ON "Guard"("unheardAt");

-- AddForeignKey
ALTER TABLE "Guard" ADD CONSTRAINT "Guard_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "Agent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
