-- An undo of a change that an older passkey confirmed waits for a day.
ALTER TABLE "Session" ADD COLUMN "passkeyId" TEXT;
ALTER TABLE "MailLink" ADD COLUMN "waits" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "dueAt" TIMESTAMPTZ(3);
CREATE INDEX "MailLink_dueAt_idx" ON "MailLink"("dueAt");
