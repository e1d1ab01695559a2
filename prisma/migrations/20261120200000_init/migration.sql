-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Tier" AS ENUM ('T0', 'T1', 'T2', 'T3');

-- CreateEnum
CREATE TYPE "OtpPurpose" AS ENUM ('signup', 'verify_email', 'signin', 'phone', 'email_change', 'password');

-- CreateEnum
CREATE TYPE "CeremonyPurpose" AS ENUM ('register', 'login', 'elevate', 'approve');

-- CreateEnum
CREATE TYPE "CertificateStatus" AS ENUM ('active', 'revoked', 'superseded');

-- CreateEnum
CREATE TYPE "AgentStatus" AS ENUM ('registered', 'bonded', 'suspended', 'deregistered');

-- CreateEnum
CREATE TYPE "PeckScope" AS ENUM ('limited', 'timed', 'standing');

-- CreateEnum
CREATE TYPE "PeckStatus" AS ENUM ('pending', 'approved', 'rejected', 'expired', 'cancelled');

-- CreateEnum
CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('pending', 'subscribed', 'unsubscribed');

-- CreateTable
CREATE TABLE "Duckling" (
    "id" TEXT NOT NULL,
    "email" TEXT,
    "displayName" TEXT NOT NULL,
    "trustTier" "Tier" NOT NULL DEFAULT 'T0',
    "emailVerifiedAt" TIMESTAMPTZ(3),
    "phone" TEXT,
    "phoneVerifiedAt" TIMESTAMPTZ(3),
    "passwordHash" TEXT,
    "bio" TEXT,
    "referralCode" TEXT NOT NULL,
    "referredByCode" TEXT,
    "eggCount" INTEGER NOT NULL DEFAULT 0,
    "directoryVisible" BOOLEAN NOT NULL DEFAULT true,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "requirePasskeyForPecks" BOOLEAN NOT NULL DEFAULT false,
    "minPeckTier" "Tier" NOT NULL DEFAULT 'T1',
    "nextNameChangeAt" TIMESTAMPTZ(3),
    "limitRate" INTEGER,
    "limitBurst" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "signupNoticeAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Duckling_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "amr" TEXT[],
    "authTime" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "ip" TEXT,
    "userAgent" TEXT,
    "lastSeenAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OtpCode" (
    "id" TEXT NOT NULL,
    "purpose" "OtpPurpose" NOT NULL,
    "address" TEXT NOT NULL,
    "ducklingId" TEXT,
    "codeHash" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "spentAt" TIMESTAMPTZ(3),
    "signinSpentAt" TIMESTAMPTZ(3),
    "deadAt" TIMESTAMPTZ(3),

    CONSTRAINT "OtpCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OtpGuard" (
    "subject" TEXT NOT NULL,
    "purpose" "OtpPurpose" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "pausedUntil" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OtpGuard_pkey" PRIMARY KEY ("subject","purpose")
);

-- CreateTable
CREATE TABLE "Ceremony" (
    "id" TEXT NOT NULL,
    "purpose" "CeremonyPurpose" NOT NULL,
    "challenge" TEXT NOT NULL,
    "ducklingId" TEXT,
    "peckId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Ceremony_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "aaguid" TEXT NOT NULL,
    "backedUp" BOOLEAN NOT NULL,
    "userVerified" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Certificate" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "activeFor" TEXT,
    "tier" "Tier" NOT NULL,
    "status" "CertificateStatus" NOT NULL,
    "issuedAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "revocationReason" TEXT,
    "statusIndex" SERIAL NOT NULL,
    "credential" TEXT NOT NULL,

    CONSTRAINT "Certificate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Agent" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "capabilities" TEXT[],
    "status" "AgentStatus" NOT NULL,
    "allowQueryKey" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "bondedAt" TIMESTAMPTZ(3),
    "suspendedAt" TIMESTAMPTZ(3),
    "deregisteredAt" TIMESTAMPTZ(3),
    "lastSeenAt" TIMESTAMPTZ(3),

    CONSTRAINT "Agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BeakKey" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "activeFor" TEXT,
    "secretHash" BYTEA NOT NULL,
    "tierScope" "Tier" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "retiredAt" TIMESTAMPTZ(3),
    "deadUses" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "BeakKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Handshake" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Handshake_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Peck" (
    "id" TEXT NOT NULL,
    "requesterDucklingId" TEXT NOT NULL,
    "requesterAgentId" TEXT,
    "askerId" TEXT NOT NULL,
    "targetDucklingId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "scope" "PeckScope" NOT NULL,
    "params" TEXT NOT NULL,
    "paramsHash" TEXT NOT NULL,
    "message" TEXT,
    "status" "PeckStatus" NOT NULL,
    "reason" TEXT,
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "pendingKey" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "grantSeconds" INTEGER,
    "grantExpiresAt" TIMESTAMPTZ(3),
    "grantRevokedAt" TIMESTAMPTZ(3),
    "uses" INTEGER NOT NULL DEFAULT 0,
    "maxUses" INTEGER,
    "approval" JSONB,

    CONSTRAINT "Peck_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PeckBlock" (
    "ducklingId" TEXT NOT NULL,
    "blockedDucklingId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PeckBlock_pkey" PRIMARY KEY ("ducklingId","blockedDucklingId")
);

-- CreateTable
CREATE TABLE "PeckNotice" (
    "ducklingId" TEXT NOT NULL,
    "mailedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PeckNotice_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateTable
CREATE TABLE "SsoToken" (
    "id" TEXT NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "sessionId" TEXT,
    "agentId" TEXT,
    "targetDomain" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "spentAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SsoToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SsoDomain" (
    "domain" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SsoDomain_pkey" PRIMARY KEY ("domain")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "actorType" TEXT NOT NULL,
    "actorId" TEXT,
    "targets" JSONB NOT NULL,
    "ip" TEXT,
    "userAgent" TEXT,
    "requestId" TEXT,
    "metadata" JSONB NOT NULL,
    "prevHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditChain" (
    "ducklingId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "prevHash" TEXT NOT NULL,
    "closed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AuditChain_pkey" PRIMARY KEY ("ducklingId")
);

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "kinds" TEXT[],
    "description" TEXT,
    "secret" BYTEA NOT NULL,
    "previousSecret" BYTEA,
    "previousSecretUntil" TIMESTAMPTZ(3),
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabledReason" TEXT,
    "failingSince" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookMessage" (
    "id" TEXT NOT NULL,
    "ducklingId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WebhookMessage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "endpointId" TEXT NOT NULL,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'pending',
    "round" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" BIGSERIAL NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "attemptedAt" TIMESTAMPTZ(3) NOT NULL,
    "statusCode" INTEGER,
    "latencyMs" INTEGER NOT NULL,
    "error" TEXT,
    "response" TEXT,

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "claimedUntil" TIMESTAMPTZ(3),
    "failedAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "kid" TEXT NOT NULL,
    "publicKey" JSONB NOT NULL,
    "privateKey" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "retiredAt" TIMESTAMPTZ(3),

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "Subscription" (
    "email" TEXT NOT NULL,
    "partnerType" TEXT,
    "status" "SubscriptionStatus" NOT NULL,
    "tokenHash" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3),
    "mailedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Subscription_pkey" PRIMARY KEY ("email")
);

-- CreateTable
CREATE TABLE "SupportTicket" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "receipt" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SupportTicket_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PageView" (
    "id" BIGSERIAL NOT NULL,
    "page" TEXT NOT NULL,
    "referrer" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PageView_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MetricDelta" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "MetricDelta_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MetricTotal" (
    "name" TEXT NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "MetricTotal_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "Duckling_email_key" ON "Duckling"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Duckling_referralCode_key" ON "Duckling"("referralCode");

-- CreateIndex
CREATE INDEX "Duckling_listed_id_idx" ON "Duckling"("listed", "id" DESC);

-- CreateIndex
CREATE INDEX "Duckling_listed_trustTier_id_idx" ON "Duckling"("listed", "trustTier", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_ducklingId_id_idx" ON "Session"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "OtpCode_address_createdAt_idx" ON "OtpCode"("address", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "OtpCode_ducklingId_purpose_createdAt_idx" ON "OtpCode"("ducklingId", "purpose", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "OtpCode_createdAt_idx" ON "OtpCode"("createdAt");

-- CreateIndex
CREATE INDEX "OtpGuard_updatedAt_idx" ON "OtpGuard"("updatedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Ceremony_challenge_key" ON "Ceremony"("challenge");

-- CreateIndex
CREATE INDEX "Ceremony_expiresAt_idx" ON "Ceremony"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");

-- CreateIndex
CREATE INDEX "Passkey_ducklingId_idx" ON "Passkey"("ducklingId");

-- CreateIndex
CREATE UNIQUE INDEX "Certificate_activeFor_key" ON "Certificate"("activeFor");

-- CreateIndex
CREATE UNIQUE INDEX "Certificate_statusIndex_key" ON "Certificate"("statusIndex");

-- CreateIndex
CREATE INDEX "Certificate_ducklingId_id_idx" ON "Certificate"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Certificate_status_statusIndex_idx" ON "Certificate"("status", "statusIndex");

-- CreateIndex
CREATE INDEX "Agent_ducklingId_id_idx" ON "Agent"("ducklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Agent_ducklingId_status_idx" ON "Agent"("ducklingId", "status");

-- CreateIndex
CREATE INDEX "Agent_lastSeenAt_idx" ON "Agent"("lastSeenAt");

-- CreateIndex
CREATE UNIQUE INDEX "BeakKey_activeFor_key" ON "BeakKey"("activeFor");

-- CreateIndex
CREATE INDEX "BeakKey_agentId_idx" ON "BeakKey"("agentId");

-- CreateIndex
CREATE UNIQUE INDEX "Handshake_agentId_key" ON "Handshake"("agentId");

-- CreateIndex
CREATE INDEX "Handshake_expiresAt_idx" ON "Handshake"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Peck_pendingKey_key" ON "Peck"("pendingKey");

-- CreateIndex
CREATE INDEX "Peck_requesterDucklingId_id_idx" ON "Peck"("requesterDucklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_targetDucklingId_id_idx" ON "Peck"("targetDucklingId", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_askerId_id_idx" ON "Peck"("askerId", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_requesterDucklingId_status_id_idx" ON "Peck"("requesterDucklingId", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_targetDucklingId_status_id_idx" ON "Peck"("targetDucklingId", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "Peck_askerId_targetDucklingId_status_decidedAt_idx" ON "Peck"("askerId", "targetDucklingId", "status", "decidedAt");

-- CreateIndex
CREATE INDEX "Peck_status_expiresAt_idx" ON "Peck"("status", "expiresAt");

-- CreateIndex
CREATE INDEX "SsoToken_ducklingId_idx" ON "SsoToken"("ducklingId");

-- CreateIndex
CREATE INDEX "SsoToken_expiresAt_idx" ON "SsoToken"("expiresAt");

-- CreateIndex
CREATE INDEX "AuditEvent_ducklingId_action_seq_idx" ON "AuditEvent"("ducklingId", "action", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "AuditEvent_ducklingId_seq_key" ON "AuditEvent"("ducklingId", "seq");

-- CreateIndex
CREATE INDEX "WebhookEndpoint_ducklingId_idx" ON "WebhookEndpoint"("ducklingId");

-- CreateIndex
CREATE INDEX "WebhookMessage_createdAt_idx" ON "WebhookMessage"("createdAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_id_idx" ON "WebhookDelivery"("endpointId", "id" DESC);

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_status_id_idx" ON "WebhookDelivery"("endpointId", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "WebhookDelivery_messageId_idx" ON "WebhookDelivery"("messageId");

-- CreateIndex
CREATE INDEX "WebhookAttempt_deliveryId_idx" ON "WebhookAttempt"("deliveryId");

-- CreateIndex
CREATE INDEX "Outbox_failedAt_dueAt_idx" ON "Outbox"("failedAt", "dueAt");

-- CreateIndex
CREATE UNIQUE INDEX "Subscription_tokenHash_key" ON "Subscription"("tokenHash");

-- CreateIndex
CREATE INDEX "Subscription_status_mailedAt_idx" ON "Subscription"("status", "mailedAt");

-- CreateIndex
CREATE INDEX "SupportTicket_email_createdAt_idx" ON "SupportTicket"("email", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "PageView_createdAt_idx" ON "PageView"("createdAt");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Certificate" ADD CONSTRAINT "Certificate_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Agent" ADD CONSTRAINT "Agent_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BeakKey" ADD CONSTRAINT "BeakKey_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "Agent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Handshake" ADD CONSTRAINT "Handshake_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "Agent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Peck" ADD CONSTRAINT "Peck_requesterDucklingId_fkey" FOREIGN KEY ("requesterDucklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Peck" ADD CONSTRAINT "Peck_targetDucklingId_fkey" FOREIGN KEY ("targetDucklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Peck" ADD CONSTRAINT "Peck_requesterAgentId_fkey" FOREIGN KEY ("requesterAgentId") REFERENCES "Agent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SsoToken" ADD CONSTRAINT "SsoToken_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookEndpoint" ADD CONSTRAINT "WebhookEndpoint_ducklingId_fkey" FOREIGN KEY ("ducklingId") REFERENCES "Duckling"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_messageId_fkey" FOREIGN KEY ("messageId") REFERENCES "WebhookMessage"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES "WebhookEndpoint"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "WebhookDelivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;
