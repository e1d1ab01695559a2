-- The switch "I build or host". It starts on for accounts that use a part for builders.
ALTER TABLE "Duckling" ADD COLUMN "builder" BOOLEAN NOT NULL DEFAULT false;
UPDATE "Duckling" SET "builder" = true WHERE "id" IN (
  SELECT "ducklingId" FROM "WebhookEndpoint"
  UNION SELECT "ducklingId" FROM "Approver"
  UNION SELECT "ducklingId" FROM "Site" WHERE "ducklingId" IS NOT NULL);
