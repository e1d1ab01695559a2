CREATE TABLE "Connection" (
    "agentId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "clientName" TEXT NOT NULL,
    "returnHost" TEXT NOT NULL,
    "grantHash" BYTEA NOT NULL,
    "sessionId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "Connection_pkey" PRIMARY KEY ("agentId")
);
CREATE TABLE "OAuthRecord" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "grantHash" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "consumedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    CONSTRAINT "OAuthRecord_pkey" PRIMARY KEY ("hash")
);
CREATE UNIQUE INDEX "Connection_grantHash_key" ON "Connection"("grantHash");
CREATE UNIQUE INDEX "Connection_ducklingId_clientId_key" ON "Connection"("ducklingId", "clientId");
CREATE INDEX "OAuthRecord_grantHash_idx" ON "OAuthRecord"("grantHash");
CREATE INDEX "OAuthRecord_expiresAt_idx" ON "OAuthRecord"("expiresAt");
ALTER TABLE "Connection" ADD CONSTRAINT "Connection_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "Agent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TABLE "OAuthKey" (
    "kid" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "OAuthKey_pkey" PRIMARY KEY ("kid")
);
