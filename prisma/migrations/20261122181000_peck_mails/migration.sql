-- CreateEnum
CREATE TYPE "PeckMailStage" AS ENUM ('announce', 'announced', 'remind');

-- CreateEnum
CREATE TYPE "NotifiedRequests" AS ENUM ('all', 'others', 'high_risk', 'none');

-- AlterTable
ALTER TABLE "PeckNotice" ADD COLUMN     "isScheduled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "round" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "mailedAt" DROP NOT NULL;

-- CreateTable
CREATE TABLE "PeckMail" (
    "peckId" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "stage" "PeckMailStage" NOT NULL DEFAULT 'announce',
    "remindAt" TIMESTAMPTZ(3),
    "mailId" TEXT,

    CONSTRAINT "PeckMail_pkey" PRIMARY KEY ("peckId")
);

-- CreateTable
CREATE TABLE "NotificationSettings" (
    "ducklingId" TEXT NOT NULL,
    "mailRequests" "NotifiedRequests" NOT NULL DEFAULT 'all',
    "mailReminders" BOOLEAN NOT NULL DEFAULT true,
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "timeZone" TEXT,

    CONSTRAINT "NotificationSettings_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateIndex
CREATE INDEX "PeckMail_ducklingId_stage_idx" ON "PeckMail"("ducklingId", "stage");

-- CreateIndex
CREATE INDEX "PeckMail_announced_idx" ON "PeckMail"("remindAt") WHERE (stage = 'announced'::"PeckMailStage");
