-- AlterEnum
ALTER TYPE "LogEntryKind" ADD VALUE 'client_package';
