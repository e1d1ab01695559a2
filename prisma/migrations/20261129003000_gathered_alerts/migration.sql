-- High risks of one minute are in one mail.
ALTER TYPE "PeckMailStage" ADD VALUE 'alert';
ALTER TABLE "PeckNotice" ADD COLUMN "alertedAt" TIMESTAMPTZ(3);
