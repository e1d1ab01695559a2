-- CreateEnum
CREATE TYPE "DeviceRequestStatus" AS ENUM ('pending', 'approved', 'denied', 'used');

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "name" TEXT;

-- CreateTable
CREATE TABLE "DeviceRequest" (
    "id" TEXT NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "userCodeHash" BYTEA NOT NULL,
    "clientName" TEXT NOT NULL,
    "ip" TEXT,
    "userAgent" TEXT,
    "status" "DeviceRequestStatus" NOT NULL DEFAULT 'pending',
    "intervalSeconds" INTEGER NOT NULL,
    "polledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "ducklingId" TEXT,
    "sessionId" TEXT,

    CONSTRAINT "DeviceRequest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "DeviceRequest_userCodeHash_key" ON "DeviceRequest"("userCodeHash");

-- CreateIndex
CREATE INDEX "DeviceRequest_ducklingId_idx" ON "DeviceRequest"("ducklingId");

-- CreateIndex
CREATE INDEX "DeviceRequest_expiresAt_idx" ON "DeviceRequest"("expiresAt");
