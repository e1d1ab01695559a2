/** What a trust tier says about a person. Pages for people show these words, and never T0 to T3: those belong to the API. */
import { m } from '@/lib/kernel/messages'
import type { Tier } from '@/lib/kernel/request/tier'
import { sentenceCase } from './shown-action'

const words: Record<Tier, () => string> = {
  T0: m.common_tier_words_t0,
  T1: m.common_tier_words_t1,
  T2: m.common_tier_words_t2,
  T3: m.common_tier_words_t3,
}

/** Returns what the person has confirmed, for the middle of a sentence: "phone confirmed". An unknown tier stays as it is. */
export const tierWords = (tier: string): string => (Object.hasOwn(words, tier) ? words[tier as Tier]() : tier)

/** Returns the same words with a capital, for a pill or a fact: "Phone confirmed". */
export const tierLabel = (tier: string): string => sentenceCase(tierWords(tier))
