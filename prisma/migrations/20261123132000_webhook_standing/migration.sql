-- Whether the receivers of an account answer. Accounts without a row count by their age.

-- CreateTable
CREATE TABLE "WebhookStanding" (
    "ducklingId" TEXT NOT NULL,
    "answeredAt" TIMESTAMPTZ(3),
    "timeouts" INTEGER NOT NULL DEFAULT 0,
    "slowUntil" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookStanding_pkey" PRIMARY KEY ("ducklingId")
);
