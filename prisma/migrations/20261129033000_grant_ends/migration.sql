-- Permissions whose end by time both sides were told. What ended before this column is never told, so the column begins as true without a new
-- version of each row. Rows that an instance of an earlier version inserts get false.
ALTER TABLE "Peck" ADD COLUMN "grantEndHandled" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "Peck" ALTER COLUMN "grantEndHandled" SET DEFAULT false;
UPDATE "Peck" SET "grantEndHandled" = false
WHERE "status" = 'pending' OR ("status" = 'approved' AND "grantRevokedAt" IS NULL AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > now()));

CREATE INDEX "Peck_grant_end_idx" ON "Peck"("grantExpiresAt") WHERE ((status = 'approved'::"PeckStatus") AND ("grantRevokedAt" IS NULL) AND (NOT "grantEndHandled"));
