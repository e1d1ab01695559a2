-- Sites register themselves where the host allows it.
ALTER TABLE "Site" ADD COLUMN "selfRegistered" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "Site_selfRegistered_createdAt_idx" ON "Site"("selfRegistered", "createdAt");
