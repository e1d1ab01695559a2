import type { Wording } from '../wording'

/** The levels of a risk, the rules that give one, and a reason. */
export const riskLevels = ['low', 'medium', 'high'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** In the order in which reasons of one level matter to the person: the first one stands above the request. */
export const riskRules = [
  'same_name',
  'look_alike',
  'hidden_text',
  'secret',
  'irreversible',
  'command',
  'control',
  'money',
  'force',
  'production',
  'outward',
  'standing',
  'sensitive',
  'unlisted',
] as const
export type RiskRule = (typeof riskRules)[number]

export interface RiskReason {
  rule: RiskRule
  level: RiskLevel
  wording: Wording
  /** An amount can be read in two ways: the person can ask for a clear one. */
  unclear?: true
}
