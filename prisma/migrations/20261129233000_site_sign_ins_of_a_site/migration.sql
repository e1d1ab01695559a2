CREATE INDEX "SiteSignIn_siteId_idx" ON "SiteSignIn"("siteId");
