ALTER TABLE "Duckling" ADD COLUMN "browserTimeZone" TEXT, ADD COLUMN "browserLanguage" TEXT;
