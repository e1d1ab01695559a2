-- An approval that its target has undone, and the request that took its place.
ALTER TABLE "Peck" ADD COLUMN "undone" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "supersededBy" TEXT,
ADD COLUMN "supersedes" TEXT;
