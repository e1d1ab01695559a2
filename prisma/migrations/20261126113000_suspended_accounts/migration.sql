-- AlterTable
ALTER TABLE "AuditChain" ADD COLUMN     "suspended" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "suspendedAt" TIMESTAMPTZ(3);
