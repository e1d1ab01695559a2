-- CreateTable
CREATE TABLE "FormerName" (
    "ducklingId" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "displayName" TEXT NOT NULL,
    "fullName" TEXT,

    CONSTRAINT "FormerName_pkey" PRIMARY KEY ("ducklingId","until")
);
