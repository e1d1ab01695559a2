-- AlterEnum
ALTER TYPE "LogEntryKind" ADD VALUE 'ended';

-- CreateTable
CREATE TABLE "LogMarkKey" (
    "id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogMarkKey_pkey" PRIMARY KEY ("id")
);
