-- Rules that exist were signed under the first version of the rules of risk.
ALTER TABLE "Rule" ADD COLUMN "riskVersion" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN "reportedRisk" INTEGER;
