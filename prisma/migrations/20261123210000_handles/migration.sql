-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "handleClaims" TIMESTAMPTZ(3)[];

-- CreateTable
CREATE TABLE "Handle" (
    "skeleton" TEXT NOT NULL,
    "name" TEXT,
    "ducklingId" TEXT,
    "claimedAt" TIMESTAMPTZ(3) NOT NULL,
    "releasedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Handle_pkey" PRIMARY KEY ("skeleton")
);

-- CreateIndex
CREATE INDEX "Handle_ducklingId_idx" ON "Handle"("ducklingId");

-- CreateIndex
CREATE INDEX "Handle_releasedAt_idx" ON "Handle"("releasedAt");

-- For the search in the directory, which finds whole names in any case. The schema of Prisma has no indexes on expressions.
CREATE INDEX "Duckling_listed_display_name_idx" ON "Duckling"(lower("displayName"), "id" DESC) WHERE ("listed");
CREATE INDEX "Duckling_listed_full_name_idx" ON "Duckling"(lower("fullName"), "id" DESC) WHERE ("listed" AND "fullName" IS NOT NULL);
