import { createInterface } from 'node:readline/promises'
import type { DecisionOutcome, Peck } from '../../generated/schemas'
import { command } from '../command'
import { secondsOf } from '../duration'
import { Exit, exitCodes, usageFault } from '../exit'
import { openBrowser } from '../open-browser'
import { safe } from '../output'
import type { Session } from '../session'
import { atPage } from './agent'
import { peckId, riskText, show } from './peck'

export const peckApprove = command({
  name: 'peck approve',
  summary: 'Approve a peck that you received.',
  details:
    'Shows what is asked and its risk, and asks you to confirm. After "beak login" only a low risk is approved here. Any other, and a peck that needs your passkey, is approved in your browser.',
  args: [peckId],
  options: {
    yes: { type: 'boolean', summary: 'Do not ask. Needed without a terminal.' },
    'grant-expires': {
      type: 'string',
      value: 'time',
      summary: 'How long the permission is valid, such as 1h.',
    },
  },
  async run({ options, args: [peck_id = ''], session }) {
    const grant_expires_in = secondsOf('grant-expires', options['grant-expires'])
    const beak = await session.beak('approvePeck')
    const page = `${beak.url}/pecks/${peck_id}`
    if (!options.yes) await confirm(session, await beak.getPeck({ peck_id }), page)
    const peck = await beak.approvePeck({ peck_id, grant_expires_in }).catch(async (error: unknown) => {
      const refusal = atPage(error, page)
      if (refusal !== error) await openPage(session, page)
      throw refusal
    })
    show(session, peck)
  },
})

/** Opens the page of a peck in the browser of a person who sits at a terminal. */
async function openPage({ env }: Session, page: string): Promise<void> {
  if (process.stdin.isTTY) await openBrowser(page, env)
}

/** Shows the peck and asks. A session of `beak login` may approve only a low risk, so that another one is not asked about in vain. */
async function confirm(session: Session, peck: Peck, page: string): Promise<void> {
  const { output, signal, env } = session
  if (!process.stdin.isTTY) throw usageFault('Without a terminal, --yes is needed to approve.')
  output.note(safe(peck.summary))
  if (Object.keys(peck.params).length > 0) output.note(`Parameters: ${safe(JSON.stringify(peck.params))}`)
  if (peck.message !== null) output.note(`Message from the requester (not verified): ${safe(peck.message)}`)
  if (peck.risk !== undefined) output.note(`Risk: ${safe(riskText(peck.risk))}`)
  if (!env.BEAK_TOKEN && peck.risk !== undefined && peck.risk.level !== 'low') {
    await openPage(session, page)
    throw new Exit(exitCodes.refused, 'Only a low risk is approved here.', `Do it in your browser: ${page}`)
  }
  // A high risk is not approved with the word that the hand knows.
  const answer = peck.risk?.level === 'high' ? peck.action : 'yes'
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const typed = await prompt.question(`Approve? Type ${answer}: `, { signal }).finally(() => prompt.close())
  if (typed.trim().toLowerCase() !== answer) throw new Exit(exitCodes.refused, 'Nothing was approved.')
}

export const peckReject = command({
  name: 'peck reject',
  summary: 'Reject a peck that you received.',
  args: [peckId],
  options: {
    reason: {
      type: 'string',
      value: 'text',
      summary: 'What the asker is told. Default: "Rejected without a reason."',
    },
  },
  async run({ options, args: [peck_id = ''], session }) {
    const beak = await session.beak('rejectPeck')
    show(session, await beak.rejectPeck({ peck_id, reason: options.reason ?? 'Rejected without a reason.' }))
  },
})

export const peckUndo = command({
  name: 'peck undo',
  summary: 'Take back an approval that you gave in the last 30 seconds.',
  details:
    'Revokes the permission. If it was not used, the request waits for your answer again, as another peck.',
  args: [peckId],
  async run({ args: [peck_id = ''], session }) {
    const beak = await session.beak('undoDecision')
    show(session, await beak.undoDecision({ peck_id }))
  },
})

const outcomeTexts: Record<DecisionOutcome['outcome'], string> = {
  decided: '',
  not_pending: 'not pending any more',
  missing: 'no such peck',
  high_risk: 'high risk: approve it on its own',
  first_contact: 'first request of this asker: approve it on its own',
  passkey_needed: 'needs your passkey: approve it on its own',
  page_needed: 'approve it in your browser',
  free_text: 'in free text: read it, then answer it on its own',
  not_as_before: 'not as before',
}

export const peckDecide = command({
  name: 'peck decide',
  summary: 'Approve or reject several pecks that you received.',
  details:
    'Does not ask you to confirm. Leaves out pecks of high risk and those that need your passkey. Exit code 1 when a peck was not decided.',
  args: [
    { name: 'decision', summary: 'What to do.', choices: ['approve', 'reject'] },
    { ...peckId, rest: true },
  ],
  options: {
    reason: {
      type: 'string',
      value: 'text',
      summary: 'What the askers are told. Default: "Rejected without a reason."',
    },
  },
  async run({ options, args: [decision, ...peck_ids], session }) {
    const beak = await session.beak('decidePecks')
    const { items } = await beak.decidePecks(
      decision === 'approve'
        ? { decision: 'approve', peck_ids }
        : { decision: 'reject', peck_ids, reason: options.reason ?? 'Rejected without a reason.' },
    )
    session.output.list(
      { items, next_cursor: null },
      {
        id: ({ peck_id }) => peck_id,
        status: ({ status }) => status ?? '',
        note: ({ outcome }) => outcomeTexts[outcome],
      },
      '',
    )
    const left = items.filter(({ outcome }) => outcome !== 'decided').length
    if (left > 0) throw new Exit(exitCodes.refused, `${left} of ${items.length} were not decided.`)
  },
})
