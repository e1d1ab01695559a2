-- CreateEnum
CREATE TYPE "RiskLevel" AS ENUM ('low', 'medium', 'high');

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "paramTypes" TEXT,
ADD COLUMN     "audience" TEXT,
ADD COLUMN     "riskLevel" "RiskLevel",
ADD COLUMN     "riskReasons" TEXT,
ADD COLUMN     "receiptSeed" BYTEA,
ADD COLUMN     "lastUsedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "AskerHistory" (
    "targetDucklingId" TEXT NOT NULL,
    "askerId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "approved" INTEGER NOT NULL DEFAULT 0,
    "approvedAt" TIMESTAMPTZ(3),
    "approvedParams" TEXT,

    CONSTRAINT "AskerHistory_pkey" PRIMARY KEY ("targetDucklingId", "askerId", "action")
);

-- The history of the pecks that already exist.
INSERT INTO "AskerHistory" ("targetDucklingId", "askerId", "action", "asked", "approved", "approvedAt", "approvedParams")
SELECT "targetDucklingId", "askerId", "action", count(*)::int,
    count(*) FILTER (WHERE "status" = 'approved')::int,
    max("decidedAt") FILTER (WHERE "status" = 'approved'),
    (array_agg("params" ORDER BY "decidedAt" DESC) FILTER (WHERE "status" = 'approved'))[1]
FROM "Peck" WHERE NOT "blocked" GROUP BY "targetDucklingId", "askerId", "action";
