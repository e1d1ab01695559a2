-- CreateEnum
CREATE TYPE "RuleAnswer" AS ENUM ('approve', 'reject', 'ask');

-- CreateEnum
CREATE TYPE "RuleStatus" AS ENUM ('on', 'paused', 'ended');

-- CreateEnum
CREATE TYPE "RuleUseState" AS ENUM ('reserved', 'spent', 'returned', 'watched');

-- AlterEnum
ALTER TYPE "CeremonyPurpose" ADD VALUE 'rule';

-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "rulesPausedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "Peck" ADD COLUMN     "ruleId" TEXT;

-- CreateTable
CREATE TABLE "Rule" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "actions" TEXT[],
    "rule" TEXT NOT NULL,
    "answer" "RuleAnswer" NOT NULL,
    "watches" BOOLEAN NOT NULL,
    "status" "RuleStatus" NOT NULL,
    "reason" TEXT,
    "timeZone" TEXT NOT NULL,
    "statementId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "maxUses" INTEGER,
    "maxPeriodUses" INTEGER,
    "maxAmount" BIGINT,
    "currency" TEXT,
    "per" TEXT,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "period" TEXT,
    "periodUses" INTEGER NOT NULL DEFAULT 0,
    "amount" BIGINT NOT NULL DEFAULT 0,
    "lastUsedAt" TIMESTAMPTZ(3),
    "reportedSpent" TEXT,
    "sessionId" TEXT,

    CONSTRAINT "Rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RuleStatement" (
    "id" TEXT NOT NULL,
    "ruleId" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "proof" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RuleStatement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RuleUse" (
    "peckId" TEXT NOT NULL,
    "ruleId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "statementId" TEXT NOT NULL,
    "state" "RuleUseState" NOT NULL,
    "cost" BIGINT NOT NULL,
    "currency" TEXT,
    "period" TEXT,
    "budgetPeriod" TEXT,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "limits" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "settleAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RuleUse_pkey" PRIMARY KEY ("peckId","ruleId")
);

-- CreateTable
CREATE TABLE "AgentBudget" (
    "ducklingId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "timeZone" TEXT NOT NULL,
    "maxUses" INTEGER,
    "maxPeriodUses" INTEGER,
    "maxAmount" BIGINT,
    "currency" TEXT,
    "per" TEXT,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "period" TEXT,
    "periodUses" INTEGER NOT NULL DEFAULT 0,
    "amount" BIGINT NOT NULL DEFAULT 0,
    "sessionId" TEXT,

    CONSTRAINT "AgentBudget_pkey" PRIMARY KEY ("ducklingId","agentId")
);

-- CreateIndex
CREATE INDEX "Rule_ducklingId_id_idx" ON "Rule"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Rule_living_idx" ON "Rule"("ducklingId", "subjectId") WHERE (status <> 'ended'::"RuleStatus");

-- CreateIndex
CREATE INDEX "Rule_expiring_idx" ON "Rule"("expiresAt") WHERE (status <> 'ended'::"RuleStatus");

-- CreateIndex
CREATE INDEX "Rule_ended_idx" ON "Rule"("endedAt") WHERE ("endedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "RuleStatement_ruleId_idx" ON "RuleStatement"("ruleId");

-- CreateIndex
CREATE INDEX "RuleUse_ducklingId_peckId_idx" ON "RuleUse"("ducklingId", "peckId" DESC);

-- CreateIndex
CREATE INDEX "RuleUse_ruleId_peckId_idx" ON "RuleUse"("ruleId", "peckId" DESC);

-- CreateIndex
CREATE INDEX "RuleUse_reserved_idx" ON "RuleUse"("settleAt") WHERE (state = 'reserved'::"RuleUseState");

-- CreateIndex
CREATE INDEX "RuleUse_watched_idx" ON "RuleUse"("peckId") WHERE (state = 'watched'::"RuleUseState");

-- CreateIndex
CREATE INDEX "AgentBudget_agentId_idx" ON "AgentBudget"("agentId");
