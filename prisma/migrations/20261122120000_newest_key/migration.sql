-- The newest key of an agent, without reading the keys of others.

-- CreateIndex
CREATE INDEX "BeakKey_agentId_id_idx" ON "BeakKey"("agentId", "id" DESC);

-- DropIndex
DROP INDEX "BeakKey_agentId_idx";
