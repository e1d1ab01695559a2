-- AlterEnum

ALTER TYPE "LogEntryKind" ADD VALUE 'decided';
ALTER TYPE "LogEntryKind" ADD VALUE 'used';
ALTER TYPE "LogEntryKind" ADD VALUE 'revoked';
ALTER TYPE "LogEntryKind" ADD VALUE 'approver_page';
ALTER TYPE "LogEntryKind" ADD VALUE 'continues';

-- AlterTable
ALTER TABLE "LogEntry" ADD COLUMN     "subjectId" TEXT,
ALTER COLUMN "ducklingId" DROP NOT NULL;

-- AlterTable
ALTER TABLE "LogPending" ADD COLUMN     "subjectId" TEXT,
ALTER COLUMN "ducklingId" DROP NOT NULL,
ALTER COLUMN "passkeyId" DROP NOT NULL;

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "statementDigest" BYTEA;

-- CreateTable
CREATE TABLE "LogName" (
    "number" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "continues" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogName_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE UNIQUE INDEX "LogName_origin_key" ON "LogName"("origin");

-- CreateIndex
CREATE INDEX "LogEntry_subject_idx" ON "LogEntry"("subjectId") WHERE ("subjectId" IS NOT NULL);

-- A log keeps its name. Names of logs on this computer only change with the address.
INSERT INTO "LogName" ("number", "origin", "createdAt")
SELECT 1, "origin", "createdAt" FROM "LogCheckpoint"
WHERE "origin" NOT LIKE 'localhost%' AND "origin" NOT LIKE '127.%' ORDER BY "createdAt" DESC LIMIT 1;
