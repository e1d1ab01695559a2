/** What two texts share that a reader takes for the same: other scripts, capitals, accents, and characters that nobody sees. */

import { moneyNameOf } from '@beak/decision/money-names'
import { namesRecipient } from '@beak/decision/naming-names'
import { isSecretName } from '@beak/decision/secret-values'
import { namesReached } from '@beak/proofs/rules/names'
import unhomoglyph from 'unhomoglyph'
import { asciiDigits } from '@/lib/kernel/typed/digits'

/** Characters that take no space. Blanks stay. */
const unseen = /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu

/** Returns a text in one form for all ways of writing the same characters, without those that nobody sees. Each blank is one space. */
export function plainForm(text: string): string {
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text
  return asciiDigits(text.normalize('NFKC').replace(unseen, ''))
    .replace(/[\u3002\uff61]/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns what a reader sees of one character: no accent, no capital, "l" for "1" and "I", "o" for "0", and Latin letters for their look-alikes. */
function lookOfAll(text: string): string {
  let look = text
  // Twice, because small letters can have look-alikes that their capitals do not have.
  for (let round = 0; round < 2; round++)
    look = unhomoglyph(look)
      .normalize('NFKD')
      .replace(/[\p{M}'`]/gu, '')
      .toLowerCase()
      .replace(/[iı|]/g, 'l')
  return look
}

/** ASCII characters do not combine, so they are looked up. Their look-alikes do not depend on their neighbours. */
const asciiLooks = new Map(
  Array.from({ length: 128 }, (_, code) => [String.fromCharCode(code), lookOfAll(String.fromCharCode(code))]),
)

/** Returns the same text for all texts that look alike. Other digits than 0 and 1 stay, and signs stay. Only for comparison. */
export function sameLook(text: string): string {
  const plain = plainForm(text)
  const looks = [...plain].map((character) => asciiLooks.get(character))
  return looks.every((look) => look !== undefined) ? looks.join('') : lookOfAll(plain)
}

/** Names of params for which a rule may accept any value. The service and its pages ask here. */

/** Tells whether `any` may stand for a param of that name: not for money, a secret, or somebody or something that the action reaches. */
export function mayBeAny(name: string): boolean {
  const forms = /^[ -~]*$/.test(name) ? [name] : [name, plainForm(name), sameLook(name)]
  return forms.every(
    (form) =>
      moneyNameOf(form) === null && !isSecretName(form) && !namesRecipient(form) && !namesReached(form),
  )
}
