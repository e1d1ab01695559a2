-- How many of the approvals a rule gave, so that no page says that the person gave them.
ALTER TABLE "AskerHistory" ADD COLUMN "approvedByRule" INTEGER NOT NULL DEFAULT 0;

UPDATE "AskerHistory" h SET "approvedByRule" = LEAST(h."approved", p."count")
FROM (
  SELECT "targetDucklingId", "askerId", "action", count(*)::int AS "count" FROM "Peck"
  WHERE "status" = 'approved' AND "ruleId" IS NOT NULL GROUP BY "targetDucklingId", "askerId", "action"
) p
WHERE p."targetDucklingId" = h."targetDucklingId" AND p."askerId" = h."askerId" AND p."action" = h."action";
