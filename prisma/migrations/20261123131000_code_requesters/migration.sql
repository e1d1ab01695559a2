-- Codes and tries are counted for each requester of an address.

-- AlterTable
ALTER TABLE "OtpCode" ADD COLUMN     "requester" TEXT;

-- AlterTable
ALTER TABLE "OtpGuard" ADD COLUMN     "account" TEXT;

-- CreateIndex
CREATE INDEX "OtpGuard_account_idx" ON "OtpGuard"("account");
