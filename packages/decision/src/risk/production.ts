/** Whether a name or a value names production. */
import type { Texts } from './param-names'
import { folded, liveParts, production } from './words'

const words = [...production].join('|')
/** The abbreviation counts only where something happens: `PRD-100` is also the number of a product. */
const abbreviation = /(?<![a-z0-9])(?<!(?:non|pre|not)[-_ ]?)prd\d{0,3}(?![a-z0-9])|^prd$/
/** A word for production that is not "non-production" or "pre-production". */
const productionWord = new RegExp(
  `(?<![a-z0-9])(?<!(?:non|pre|not|post)[-_ ]?)(?:${words})\\d{0,3}(?![a-z0-9])`,
)
const liveThing = new RegExp(
  `(?<![a-z0-9])live[-_ .](?:${[...liveParts].join('|')})s?(?![a-z0-9])|(?<![a-z0-9])(?:on|to|in)[-_ ]live$|^live$`,
)
/** Names of params that say where something happens. */
const placeName =
  /(^|_)(env|environment|umgebung|stage|cluster|namespace|context|target|host|hostname|server|instance|node|database|db|schema|table|bucket|queue|topic|deployment|url|uri|endpoint|base|project|workspace|region|resource|arn|profile|site|system|service|slot|tier|realm|tenant|dsn|connection|remote|channel|repository|repo|path)s?(_|$)/
/** Names of params that tell an agent or a program what to do, in words or code. */
const instructionName =
  /(^|_)(task|instruction|goal|prompt|plan|step|command|cmd|script|action|operation|sql|query|job)s?(_|$)/
/** Names whose values may contain the word in another sense. */
const otherName =
  /(^|_)(category|company|department|employer|genre|industry|job_title|label|occupation|profession|section|tag|team|theme)s?(_|$)/

/** Whether the words of a name contain one for production: `is_production`. */
export const namesProduction = (name: string): boolean => productionWord.test(name.replaceAll('_', '-'))

/** Whether a text names production. */
export function valueNamesProduction(name: string, text: string, { isFree, isRunning }: Texts): boolean {
  if (isFree(name) || otherName.test(name)) return false
  const plain = folded(text)
  const isPlace = isRunning || placeName.test(name) || instructionName.test(name)
  if (!isPlace && /\s/.test(plain.trim())) return false
  return (
    productionWord.test(plain) ||
    (isPlace && abbreviation.test(plain)) ||
    (isPlace && /(?<![a-z0-9])live(?![a-z0-9])/.test(plain) && !/\s/.test(plain)) ||
    liveThing.test(plain)
  )
}
