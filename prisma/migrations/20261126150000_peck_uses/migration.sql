-- CreateTable
CREATE TABLE "PeckUse" (
    "peckId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "usedAt" TIMESTAMPTZ(3) NOT NULL,
    "audience" TEXT,

    CONSTRAINT "PeckUse_pkey" PRIMARY KEY ("peckId","number")
);
