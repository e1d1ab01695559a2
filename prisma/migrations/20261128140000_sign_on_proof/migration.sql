-- CreateTable
CREATE TABLE "SignOnProof" (
    "sessionId" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "passkeyId" TEXT,
    "provedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SignOnProof_pkey" PRIMARY KEY ("sessionId","domain")
);

-- AddForeignKey
ALTER TABLE "SignOnProof" ADD CONSTRAINT "SignOnProof_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
