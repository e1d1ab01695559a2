-- AlterTable
ALTER TABLE "FormerName" ADD COLUMN     "isTakingBack" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "takenBackAt" TIMESTAMPTZ(3);
