-- Channels from before this column keep messages without details: who reads them must not learn more without their owner.
ALTER TABLE "Channel" ADD COLUMN "details" BOOLEAN NOT NULL DEFAULT false;
