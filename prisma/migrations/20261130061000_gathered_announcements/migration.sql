-- Requests without a high risk can be announced together, a few times a day.
ALTER TABLE "NotificationSettings" ADD COLUMN "gathered" BOOLEAN NOT NULL DEFAULT false;
