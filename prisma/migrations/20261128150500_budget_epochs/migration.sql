-- The epoch of the counts of a budget. A use goes back only within the epoch that it was charged to. Uses that an instance of an earlier version
-- charges have epoch 0, so they never go back after the limits changed.
ALTER TABLE "Rule" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "nextPeriod" TEXT,
ADD COLUMN "nextUses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "nextAmount" BIGINT NOT NULL DEFAULT 0;

ALTER TABLE "AgentBudget" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "nextPeriod" TEXT,
ADD COLUMN "nextUses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "nextAmount" BIGINT NOT NULL DEFAULT 0;

ALTER TABLE "RuleUse" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "budgetEpoch" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "countedPeriod" TEXT,
ADD COLUMN "nextPeriod" TEXT,
ADD COLUMN "budgetNextPeriod" TEXT;

-- Uses that wait and were charged before a limit for money existed. Nobody knows which budget of the agent had the others: none gets them back.
UPDATE "RuleUse" u SET "epoch" = -1 FROM "Rule" r
WHERE r."id" = u."ruleId" AND u."state" = 'reserved' AND r."maxAmount" IS NOT NULL AND u."limits" ->> 'amount' IS NULL;
UPDATE "RuleUse" SET "budgetEpoch" = -1 WHERE "state" = 'reserved' AND "budgetPeriod" IS NOT NULL;
