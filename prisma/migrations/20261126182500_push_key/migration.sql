-- CreateTable
CREATE TABLE "PushKey" (
    "id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PushKey_pkey" PRIMARY KEY ("id")
);
