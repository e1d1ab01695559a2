-- CreateEnum
CREATE TYPE "ApproverCovers" AS ENUM ('high', 'all');

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single transaction. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "CeremonyPurpose" ADD VALUE 'endorse';
ALTER TYPE "CeremonyPurpose" ADD VALUE 'approver';

-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "approverCovers" "ApproverCovers";

-- AlterTable
ALTER TABLE "Passkey" ADD COLUMN     "endorsements" JSONB;

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "challenge" TEXT,
ADD COLUMN     "codeHash" TEXT,
ADD COLUMN     "requireSigned" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "Approver" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "covers" "ApproverCovers" NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "sessionId" TEXT NOT NULL,
    "removesAt" TIMESTAMPTZ(3),

    CONSTRAINT "Approver_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Approver_ducklingId_key" ON "Approver"("ducklingId");

-- CreateIndex
CREATE UNIQUE INDEX "Approver_credentialId_key" ON "Approver"("credentialId");

-- CreateIndex
CREATE INDEX "Approver_removesAt_idx" ON "Approver"("removesAt");

-- AddForeignKey
ALTER TABLE "Approver" ADD CONSTRAINT "Approver_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
