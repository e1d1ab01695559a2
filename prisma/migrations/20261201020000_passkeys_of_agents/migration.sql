-- The passkeys that made an agent and its keys. Empty in agents that are older than this column: not known, so as if each had.
ALTER TABLE "Agent" ADD COLUMN "passkeyIds" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
