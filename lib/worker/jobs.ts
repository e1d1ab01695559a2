/** The work of the worker: a job for each kind of outbox row, the pools, and the chores. */

import { database } from '@/lib/db/client'
import { watchClock } from '@/lib/db/service-clock'
import { vacuumEmbedded } from '@/lib/db/vacuum'
import { raiseSilentAlarms } from '@/lib/domain/agents/guard'
import { writeRefusals } from '@/lib/domain/agents/refusals'
import { finishRemovals, nextRemoval } from '@/lib/domain/approvers/remove'
import { eraseContext } from '@/lib/domain/audit/erase-context'
import { recordRestore } from '@/lib/domain/backup/restore'
import { watchNewestEvent } from '@/lib/domain/backup/watch-age'
import { claimMessages } from '@/lib/domain/channels/claim'
import { sendCode, sendLink } from '@/lib/domain/codes/send-code'
import { sendText } from '@/lib/domain/codes/texts'
import { discardNotice, sendLetter, sendNotice } from '@/lib/domain/identity/send-notice'
import { finishUndos, nextUndo } from '@/lib/domain/identity/undo-email-change'
import { foldMetrics, nextFold, recordDays } from '@/lib/domain/metrics/record-days'
import { sendNewsletter } from '@/lib/domain/newsletter/subscriptions'
import { mailPauseSeconds } from '@/lib/domain/notifications/schedule'
import { sendSiteLogout, siteLogoutRetries } from '@/lib/domain/oauth/site-notice'
import { deleteExpiredCeremonies } from '@/lib/domain/passkeys/ceremony'
import { finishRejections, nextRejection } from '@/lib/domain/pecks/decide/held-rejections'
import { expireGrants, nextGrantEnd } from '@/lib/domain/pecks/grant/active'
import { giveUpAlert, sendAlert } from '@/lib/domain/pecks/mail/alert'
import { remindOfPecks } from '@/lib/domain/pecks/mail/remind'
import { giveUpPeckMail, sendPeckMail } from '@/lib/domain/pecks/mail/send'
import { messageRetrySeconds, sendMessage } from '@/lib/domain/pecks/reach/deliver'
import { endReach, reach, summarize } from '@/lib/domain/pecks/reach/fan-out'
import { expirePecks, nextExpiry } from '@/lib/domain/pecks/record'
import { enqueueReports, nextSettling, sendReport, settleUses } from '@/lib/domain/pecks/rules/report'
import { revokeForWorker } from '@/lib/domain/pecks/rules/unused'
import { purge } from '@/lib/domain/retention/purge'
import { finishRecoveries, nextRecovery } from '@/lib/domain/revocation/prove-address'
import { endExpiredRules } from '@/lib/domain/rules/end-rules'
import { writeSeen } from '@/lib/domain/sessions/authenticate'
import { replaceForWorker } from '@/lib/domain/signing-keys/replace-signatures'
import { deleteExpiredTokens } from '@/lib/domain/sso/issue'
import { recordStatus } from '@/lib/domain/status/check-status'
import { sendSupport } from '@/lib/domain/support/contact-support'
import { appendToLog, everySeconds as logSeconds } from '@/lib/domain/tlog/append'
import { cosign } from '@/lib/domain/tlog/cosign'
import { enqueueApproverPage, enqueueClientPackages } from '@/lib/domain/tlog/enqueue'
import { claimWebhooks } from '@/lib/domain/webhooks/claim'
import { deleteOldMessages } from '@/lib/domain/webhooks/delete'
import { deliverWebhook, retrySeconds } from '@/lib/domain/webhooks/deliver'
import { rebuildQueue } from '@/lib/domain/webhooks/queue'
import { claimWarnings, sendWarning, warningRetrySeconds } from '@/lib/domain/webhooks/warn'
import { forgetStopped } from '@/lib/infrastructure/events/chain'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { writeRepeated } from '@/lib/infrastructure/events/repeated-refusals'
import { reloadKeys } from '@/lib/infrastructure/keys/signing-keys'
import type { Chore, Plan, Pool } from '@/lib/infrastructure/worker/plan'
import { config } from '@/lib/kernel/config'
import { approverPageDigest } from '@/lib/kernel/service/approver-page'
import { arePackagesBuilt, clientPackages } from '@/lib/kernel/service/client-packages'

/** Mails survive an outage of a day. Codes are given up after ten minutes, when they have expired. */
const mailRetries = [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 43200]
/** New pecks wait for the row of earlier ones, so its attempts are ten minutes apart at most. They go on for a day. */
const peckMailRetries = [5, 30, 120, ...Array<number>(144).fill(mailPauseSeconds)]
const codeRetries = [2, 5, 10, 20, 40, 80, 160, 300]

const jobs: Plan['jobs'] = {
  code: { run: sendCode, retries: codeRetries },
  text_code: { run: sendCode, retries: codeRetries },
  text: { run: sendText, retries: codeRetries },
  text_since_0_3: { run: sendText, retries: codeRetries },
  notice: { run: sendNotice, retries: mailRetries, giveUp: discardNotice },
  notice_since_0_3: { run: sendNotice, retries: mailRetries, giveUp: discardNotice },
  peck_mail: { run: sendPeckMail, retries: peckMailRetries, giveUp: giveUpPeckMail },
  peck_alert: { run: sendAlert, retries: peckMailRetries, giveUp: giveUpAlert },
  rule_report: { run: sendReport, retries: mailRetries },
  revoke_by_rules: { run: revokeForWorker, retries: mailRetries },
  link: { run: sendLink, retries: mailRetries },
  letter: { run: sendLetter, retries: mailRetries },
  letter_since_0_3: { run: sendLetter, retries: mailRetries },
  newsletter: { run: sendNewsletter, retries: mailRetries },
  support: { run: sendSupport, retries: mailRetries },
  forget_stopped: { run: forgetStopped, retries: mailRetries },
  restored: { run: recordRestore, retries: mailRetries },
  erase_context: { run: eraseContext, retries: mailRetries },
  replace_signatures: { run: replaceForWorker, retries: mailRetries },
  reach: { run: reach, retries: mailRetries },
  reach_end: { run: endReach, retries: mailRetries },
  reach_summary: { run: summarize, retries: mailRetries },
  channel_message: { run: sendMessage, retries: [...messageRetrySeconds, ...mailRetries] },
  webhook_warning: { run: sendWarning, retries: warningRetrySeconds },
  site_logout: { run: sendSiteLogout, retries: siteLogoutRetries },
  webhook: { run: deliverWebhook, retries: retrySeconds },
}

/** Kinds with their own pool, so that no other kind can occupy their places. Above all codes, which people wait for. */
const ownPools: Pool[] = [
  { name: 'codes', kinds: ['code'], places: 100 },
  { name: 'text codes', kinds: ['text_code'], places: 4 },
  { name: 'texts', kinds: ['text', 'text_since_0_3'], places: 2 },
  // Announcements and revocations write only to the database. Their messages wait for servers of other people.
  { name: 'announcements', kinds: ['reach', 'reach_end', 'reach_summary', 'revoke_by_rules'], places: 8 },
  { name: 'channels', kinds: ['channel_message'], places: 96, claim: claimMessages },
  // Webhooks wait for servers of other people.
  { name: 'webhook warnings', kinds: ['webhook_warning'], places: 8, claim: claimWarnings },
  { name: 'site logouts', kinds: ['site_logout'], places: 16 },
  { name: 'webhooks', kinds: ['webhook'], places: 128, claim: claimWebhooks },
]
const ownKinds = new Set(ownPools.flatMap(({ kinds }) => kinds))
const otherKinds = (Object.keys(jobs) as OutboxKind[]).filter((kind) => !ownKinds.has(kind))
const pools: Pool[] = [...ownPools, { name: 'messages', kinds: otherKinds, places: 16 }]

/** Logs the packages of a built server. In development and in tests, the folder may have any packages. */
async function logPackages(): Promise<void> {
  if (approverPageDigest === null || !arePackagesBuilt()) return
  await enqueueClientPackages((await clientPackages()).list.files)
}

const chores: Chore[] = [
  {
    name: 'record refused beak keys',
    everySeconds: 2,
    everyProcess: true,
    alsoAtStop: true,
    run: writeRefusals,
  },
  { name: 'record repeated refusals', everySeconds: 10, everyProcess: true, run: writeRepeated },
  { name: 'record last uses of sessions and keys', everySeconds: 3, everyProcess: true, run: writeSeen },
  {
    name: 'tell that coding agents work without their guard',
    everySeconds: 30,
    endsByTime: true,
    run: raiseSilentAlarms,
  },
  { name: 'add up the public counts', everySeconds: 2, due: nextFold, run: foldMetrics },
  { name: 'store the counts of the day', everySeconds: 60, endsByTime: true, run: recordDays },
  { name: 'record the status', everySeconds: 20, run: recordStatus },
  {
    name: 'let rejections take effect',
    everySeconds: 1,
    endsByTime: true,
    due: nextRejection,
    run: finishRejections,
  },
  { name: 'expire pecks', everySeconds: 2, endsByTime: true, due: nextExpiry, run: expirePecks },
  {
    name: 'tell that permissions expired',
    everySeconds: 2,
    endsByTime: true,
    due: nextGrantEnd,
    run: expireGrants,
  },
  { name: 'end rules whose time is over', everySeconds: 60, endsByTime: true, run: endExpiredRules },
  {
    name: 'give back what rules allowed and nobody used',
    everySeconds: 20,
    endsByTime: true,
    due: nextSettling,
    run: settleUses,
  },
  { name: 'mail once a week what rules answered', everySeconds: 60, run: enqueueReports },
  { name: 'remind of waiting pecks', everySeconds: 60, run: remindOfPecks },
  { name: 'reload the signing keys', everySeconds: 60, everyProcess: true, run: reloadKeys },
  {
    name: 'restore addresses as requested',
    everySeconds: 10,
    endsByTime: true,
    due: nextUndo,
    run: finishUndos,
  },
  {
    name: 'remove passkeys as requested',
    everySeconds: 10,
    endsByTime: true,
    due: nextRecovery,
    run: finishRecoveries,
  },
  {
    name: 'remove approvers as requested',
    everySeconds: 10,
    endsByTime: true,
    due: nextRemoval,
    run: finishRemovals,
  },
  {
    name: 'log the page of the approver',
    everySeconds: 600,
    run: () => enqueueApproverPage(approverPageDigest),
  },
  {
    name: 'log the packages of the clients',
    everySeconds: 600,
    run: logPackages,
  },
  { name: 'append to the transparency log', everySeconds: logSeconds, run: (now) => appendToLog(now) },
  {
    name: 'delete expired passkey ceremonies',
    everySeconds: 60,
    endsByTime: true,
    run: deleteExpiredCeremonies,
  },
  { name: 'delete expired SSO tokens', everySeconds: 3600, endsByTime: true, run: deleteExpiredTokens },
  { name: 'delete old webhook messages', everySeconds: 3600, endsByTime: true, run: deleteOldMessages },
  { name: 'delete expired rows', everySeconds: 1800, endsByTime: true, run: purge },
  {
    name: 'compare the clock with the database',
    everySeconds: 60,
    everyProcess: true,
    run: () => watchClock(database()),
  },
  {
    name: 'note the newest event outside of the database',
    everySeconds: 60,
    everyProcess: true,
    alsoAtStop: true,
    run: (now) => watchNewestEvent(now),
  },
  { name: 'vacuum the embedded database', everySeconds: 60, everyProcess: true, run: vacuumEmbedded },
]

/** Returns the plan. Each witness has a separate chore, so that a slow witness delays nothing else. */
export function makePlan(): Plan {
  const witnesses = config().tlogWitnesses.map((witness) => ({
    name: `ask the witness ${witness.key.name}`,
    everySeconds: 10,
    run: (now: Date) => cosign(witness, now),
  }))
  return { jobs, pools, chores: [...chores, ...witnesses], restore: rebuildQueue }
}

/** Returns the plan of a process without the worker: only what concerns its own memory. */
export function makeSmallPlan(): Plan {
  return { jobs, pools: [], chores: chores.filter(({ everyProcess }) => everyProcess), restore: rebuildQueue }
}
