-- A writer of version 0.2.0 takes everything from "LogPending", and loses the subject of entries that it does not know.

-- CreateTable
CREATE TABLE "LogQueue" (
    "id" BIGSERIAL NOT NULL,
    "kind" "LogEntryKind" NOT NULL,
    "digest" BYTEA NOT NULL,
    "ducklingId" TEXT,
    "subjectId" TEXT,

    CONSTRAINT "LogQueue_pkey" PRIMARY KEY ("id")
);
