-- The audit log only grows: the database itself refuses to change or remove an event (security bar, check-75).
-- \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
  E'BEGIN RAISE EXCEPTION ''audit events are append-only'' USING ERRCODE = ''insufficient_privilege''\x3b END';

CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON "AuditEvent"
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON "AuditEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
