CREATE TABLE "SsoProof" (
  "ducklingId" TEXT NOT NULL,
  "domain" TEXT NOT NULL,
  "provedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "SsoProof_pkey" PRIMARY KEY ("ducklingId", "domain"),
  CONSTRAINT "SsoProof_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

ALTER TABLE "Session" ADD COLUMN "silencedAt" TIMESTAMPTZ(3);
