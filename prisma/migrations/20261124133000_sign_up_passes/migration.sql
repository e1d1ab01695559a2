-- CreateTable
CREATE TABLE "SignUpPass" (
    "id" TEXT NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SignUpPass_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "SignUpPass_expiresAt_idx" ON "SignUpPass"("expiresAt");
