-- AlterTable
ALTER TABLE "PeckAnnouncement" ADD COLUMN     "remindFailedAt" TIMESTAMPTZ(3),
ADD COLUMN     "remindTriedAt" TIMESTAMPTZ(3);

-- Until now, "remindedAt" was the time of the attempt.
UPDATE "PeckAnnouncement" SET "remindTriedAt" = "remindedAt" WHERE "remindedAt" IS NOT NULL;
