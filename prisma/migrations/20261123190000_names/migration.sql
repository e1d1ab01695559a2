-- AlterTable
ALTER TABLE "Duckling" ADD COLUMN     "fullName" TEXT,
ADD COLUMN     "handle" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "Duckling_handle_key" ON "Duckling"("handle");
