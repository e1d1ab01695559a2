-- CreateTable
CREATE TABLE "OperatorAction" (
    "id" BIGSERIAL NOT NULL,
    "command" TEXT NOT NULL,
    "by" TEXT,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" BOOLEAN,

    CONSTRAINT "OperatorAction_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "OperatorAction_startedAt_idx" ON "OperatorAction"("startedAt");
