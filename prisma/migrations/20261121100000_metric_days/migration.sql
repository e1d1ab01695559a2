-- CreateTable
CREATE TABLE "MetricDay" (
    "day" DATE NOT NULL,
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "MetricDay_pkey" PRIMARY KEY ("day","name")
);
