-- AlterTable
ALTER TABLE "AskerHistory" ADD COLUMN     "askedAt" TIMESTAMPTZ(3);

-- The time of the last request that the target has seen.
UPDATE "AskerHistory" h SET "askedAt" = coalesce((
    SELECT max(p."createdAt") FROM "Peck" p
    WHERE p."targetDucklingId" = h."targetDucklingId" AND p."askerId" = h."askerId" AND p."action" = h."action" 
        AND (NOT p."blocked" OR p."hiddenAt" IS NOT NULL)
), h."approvedAt");

-- CreateIndex
CREATE INDEX "AskerHistory_known_idx" ON "AskerHistory"("targetDucklingId", "askerId") WHERE (approved > 0);

-- CreateIndex
CREATE INDEX "AskerHistory_unapproved_idx" ON "AskerHistory"("askedAt") WHERE (approved = 0);
