-- For the undo of a change of address: which session made what, and what the undo has suspended.
ALTER TABLE "Agent" ADD COLUMN "suspendReason" TEXT;
ALTER TABLE "PeckBlock" ADD COLUMN "sessionId" TEXT;
ALTER TABLE "SharedReceipt" ADD COLUMN "sessionId" TEXT;
ALTER TABLE "WebhookEndpoint" ADD COLUMN "changedAt" TIMESTAMPTZ(3), ADD COLUMN "changedBySession" TEXT;
