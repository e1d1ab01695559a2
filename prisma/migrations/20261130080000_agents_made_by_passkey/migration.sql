-- Whether a passkey of the owner made the agent. Null in agents that are older than this column: not known, so as if none had.
ALTER TABLE "Agent" ADD COLUMN "madeByPasskey" BOOLEAN;
