CREATE TABLE "Site" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT,
    "sessionId" TEXT,
    "name" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "redirectUris" TEXT[],
    "logoutUris" TEXT[],
    "logoutNoticeUri" TEXT,
    "secretHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "SiteConsent" (
    "ducklingId" TEXT NOT NULL,
    "siteId" TEXT NOT NULL,
    "scopes" TEXT[],
    "refused" TEXT[],
    "sessionId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    CONSTRAINT "SiteConsent_pkey" PRIMARY KEY ("ducklingId", "siteId")
);
CREATE TABLE "SiteSubject" (
    "ducklingId" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    CONSTRAINT "SiteSubject_pkey" PRIMARY KEY ("ducklingId", "host")
);
CREATE TABLE "SiteSignIn" (
    "grantHash" BYTEA NOT NULL,
    "siteId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    CONSTRAINT "SiteSignIn_pkey" PRIMARY KEY ("grantHash")
);
CREATE INDEX "Site_ducklingId_idx" ON "Site"("ducklingId");
CREATE INDEX "SiteConsent_siteId_idx" ON "SiteConsent"("siteId");
CREATE UNIQUE INDEX "SiteSubject_subject_key" ON "SiteSubject"("subject");
CREATE UNIQUE INDEX "SiteSignIn_sessionId_siteId_key" ON "SiteSignIn"("sessionId", "siteId");
CREATE UNIQUE INDEX "SiteSignIn_sid_key" ON "SiteSignIn"("sid");
CREATE INDEX "SiteSignIn_ducklingId_siteId_idx" ON "SiteSignIn"("ducklingId", "siteId");
CREATE INDEX "SiteSignIn_createdAt_idx" ON "SiteSignIn"("createdAt");
ALTER TABLE "SiteConsent" ADD CONSTRAINT "SiteConsent_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SiteSignIn" ADD CONSTRAINT "SiteSignIn_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
