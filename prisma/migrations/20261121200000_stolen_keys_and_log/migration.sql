-- Distrusted signing keys, grants by the digest of their token, and the transparency log over all audit chains.

-- CreateEnum
CREATE TYPE "KeyPurpose" AS ENUM ('token', 'log');

-- CreateEnum
CREATE TYPE "LogEntryKind" AS ENUM ('chain_head', 'passkey_enrolled', 'passkey_removed');

-- AlterTable
ALTER TABLE "AuditChain" ADD COLUMN     "logPending" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "kid" TEXT,
ADD COLUMN     "tokenHash" BYTEA;

-- AlterTable
ALTER TABLE "SigningKey" ADD COLUMN     "distrustedAt" TIMESTAMPTZ(3),
ADD COLUMN     "distrustedFrom" TIMESTAMPTZ(3),
ADD COLUMN     "purpose" "KeyPurpose" NOT NULL DEFAULT 'token';

-- CreateTable
CREATE TABLE "GrantToken" (
    "hash" BYTEA NOT NULL,
    "peckId" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "GrantToken_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "LogEntry" (
    "index" BIGINT NOT NULL,
    "kind" "LogEntryKind" NOT NULL,
    "data" BYTEA NOT NULL,
    "leafHash" BYTEA NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "seq" INTEGER,
    "passkeyId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogEntry_pkey" PRIMARY KEY ("index")
);

-- CreateTable
CREATE TABLE "LogPending" (
    "id" BIGSERIAL NOT NULL,
    "kind" "LogEntryKind" NOT NULL,
    "digest" BYTEA NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "passkeyId" TEXT NOT NULL,

    CONSTRAINT "LogPending_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LogHash" (
    "level" INTEGER NOT NULL,
    "index" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "LogHash_pkey" PRIMARY KEY ("level","index")
);

-- CreateTable
CREATE TABLE "LogCheckpoint" (
    "size" BIGINT NOT NULL,
    "origin" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "root" BYTEA NOT NULL,
    "note" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogCheckpoint_pkey" PRIMARY KEY ("size","origin","kid")
);

-- CreateTable
CREATE TABLE "LogCosignature" (
    "origin" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "witness" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LogCosignature_pkey" PRIMARY KEY ("origin","size","witness")
);

-- CreateTable
CREATE TABLE "LogWitness" (
    "witness" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "claimedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "LogWitness_pkey" PRIMARY KEY ("witness","origin")
);

-- CreateIndex
CREATE INDEX "GrantToken_peckId_createdAt_idx" ON "GrantToken"("peckId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "GrantToken_expiresAt_idx" ON "GrantToken"("expiresAt");

-- CreateIndex
CREATE INDEX "LogEntry_ducklingId_seq_index_idx" ON "LogEntry"("ducklingId", "seq", "index");

-- CreateIndex
CREATE INDEX "LogEntry_passkeyId_idx" ON "LogEntry"("passkeyId");

-- CreateIndex
CREATE INDEX "AuditChain_log_pending_idx" ON "AuditChain"("ducklingId") WHERE ("logPending");

-- Passkeys that were added before there was a log get an entry too: the digest of docs/audit/format.md, over canonical JSON.
INSERT INTO "LogPending" ("kind", "digest", "ducklingId", "passkeyId")
  SELECT 'passkey_enrolled', sha256(convert_to(
    '{"credential_id":"' || "credentialId" || '","duckling_id":"' || "ducklingId" || '","public_key":"'
      || rtrim(translate(encode("publicKey", 'base64'), E'+/\n', '-_'), '=') || '"}', 'UTF8')), "ducklingId", "id"
  FROM "Passkey" ORDER BY "createdAt", "id";

-- What the log has published stays: the database refuses to change or remove it. \x3b is the semicolon: Prisma's pg adapter cuts a
-- script at every literal one, in a function's body too.
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS
  E'BEGIN RAISE EXCEPTION ''the transparency log is append-only'' USING ERRCODE = ''insufficient_privilege''\x3b END';

CREATE TRIGGER log_entry_append_only BEFORE UPDATE OR DELETE ON "LogEntry" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_entry_no_truncate BEFORE TRUNCATE ON "LogEntry" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_hash_append_only BEFORE UPDATE OR DELETE ON "LogHash" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_hash_no_truncate BEFORE TRUNCATE ON "LogHash" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_checkpoint_append_only BEFORE UPDATE OR DELETE ON "LogCheckpoint" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_checkpoint_no_truncate BEFORE TRUNCATE ON "LogCheckpoint" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_cosignature_append_only BEFORE UPDATE OR DELETE ON "LogCosignature" FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER log_cosignature_no_truncate BEFORE TRUNCATE ON "LogCosignature" FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
