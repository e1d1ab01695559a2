/** When mail announces each risk: what the form offers, and how the settings store it. */
import type { Risk, Settings } from './read'

type Mail = Pick<Settings['channels']['mail'], 'requests' | 'announces'>

/** `otherwise`: only when no other place announces the request. */
export type MailChoice = 'always' | 'otherwise' | 'never'

/** Returns when mail announces a risk. */
export function mailChoice({ requests, announces }: Mail, risk: Risk): MailChoice {
  if (requests === 'none' || (requests === 'high_risk' && risk !== 'high')) return 'never'
  return announces.includes(risk) ? 'always' : 'otherwise'
}

/** A risk that is never mailed ends the mails about lower ones, because the settings store nothing else. */
export const offeredChoices: Record<Risk, MailChoice[]> = {
  high: ['always', 'otherwise', 'never'],
  medium: ['always', 'otherwise', 'never'],
  low: ['always', 'otherwise'],
}

/** Returns what the field of a risk shows at first: where "never" is not offered, what holds when a higher risk is mailed again. */
export function firstChoice(mail: Mail, risk: Risk): MailChoice {
  const choice = mailChoice(mail, risk)
  return offeredChoices[risk].includes(choice) ? choice : mailChoice({ ...mail, requests: 'all' }, risk)
}

/** Returns the settings of these choices. `isOwn`: mail also comes about requests of the person's own agents. */
export function mailSettings(choices: Record<Risk, string>, isOwn: boolean): Partial<Mail> {
  if (choices.high === 'never') return { requests: 'none' }
  const chosen = Object.entries(choices) as [Risk, string][]
  const announces = chosen.flatMap(([risk, choice]) => (choice === 'always' ? [risk] : []))
  if (choices.medium === 'never') return { requests: 'high_risk', announces }
  return { requests: isOwn ? 'all' : 'others', announces }
}
