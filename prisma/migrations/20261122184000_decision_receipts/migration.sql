-- A passkey can sign a rejection too.
ALTER TYPE "CeremonyPurpose" ADD VALUE 'reject';

-- What the passkey is asked to sign, when that is a statement of version 2.
ALTER TABLE "Ceremony" ADD COLUMN "statement" TEXT;

-- What the page displayed to the person who decided.
ALTER TABLE "Peck" ADD COLUMN "displayed" TEXT;
