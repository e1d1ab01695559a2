-- CreateIndex
CREATE INDEX "AuditEvent_denied_idx" ON "AuditEvent"("ducklingId", "seq") WHERE (outcome = 'denied'::text);
