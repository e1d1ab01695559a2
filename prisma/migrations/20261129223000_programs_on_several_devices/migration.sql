-- A program that a document describes has one id on all devices, and an agent on each.
CREATE INDEX "Connection_ducklingId_clientId_idx" ON "Connection"("ducklingId", "clientId");
DROP INDEX "Connection_ducklingId_clientId_key";
