ALTER TABLE "NotificationSettings" ADD COLUMN "mailDetails" BOOLEAN NOT NULL DEFAULT true;
