-- Fails the transaction when a condition is not met, and names the rule. For statements that are sent together with COMMIT, whose results
-- nothing reads before it (`required` in lib/db/transaction.ts).
-- \x3b is the semicolon: Prisma's pg adapter cuts a script at every literal one, in a function's body too.
CREATE FUNCTION require_condition(met boolean, rule text) RETURNS boolean LANGUAGE plpgsql AS
  E'BEGIN IF met IS NOT TRUE THEN RAISE EXCEPTION ''required: %'', rule USING ERRCODE = ''BK001''\x3b END IF\x3b RETURN met\x3b END';
