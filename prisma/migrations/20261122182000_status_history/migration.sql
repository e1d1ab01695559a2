-- CreateTable
CREATE TABLE "StatusDay" (
    "day" DATE NOT NULL,
    "samples" INTEGER NOT NULL,
    "sampledAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StatusDay_pkey" PRIMARY KEY ("day")
);

-- CreateTable
CREATE TABLE "Incident" (
    "id" TEXT NOT NULL,
    "component" TEXT,
    "condition" TEXT NOT NULL,
    "byOperator" BOOLEAN NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "Incident_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Incident_startedAt_idx" ON "Incident"("startedAt");

-- CreateIndex
CREATE INDEX "Incident_endedAt_idx" ON "Incident"("endedAt");

-- CreateIndex: at most one measured incident of a component is open.
CREATE UNIQUE INDEX "Incident_open_key" ON "Incident"("component") WHERE (("endedAt" IS NULL) AND (NOT "byOperator"));
