import type { ComponentType } from 'react'
import { Bonds } from './bonds'
import { Evidence } from './evidence'
import { MainJob } from './main-job'
import { PeckLife } from './peck-life'
import { Tiers } from './tiers'

/** The drawings of the documentation by the name that Markdown gives them: `![what it shows](drawing:tiers)`. */
export const drawings: Record<string, ComponentType | undefined> = {
  'main-job': MainJob,
  tiers: Tiers,
  'peck-life': PeckLife,
  bonds: Bonds,
  evidence: Evidence,
}
