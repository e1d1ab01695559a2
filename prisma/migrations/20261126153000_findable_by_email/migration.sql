-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN "findableByEmail" BOOLEAN NOT NULL DEFAULT false;
