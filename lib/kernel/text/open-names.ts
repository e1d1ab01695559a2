/** Names of params for which a rule may accept any value. The service and its pages ask here. */
import { namesReached } from '@beak/client/verify/rules/names'
import { moneyNameOf } from './money-names'
import { namesRecipient } from './naming-names'
import { plainForm, sameLook } from './same-look'
import { isSecretName } from './secret-values'

/** Tells whether `any` may stand for a param of that name: not for money, a secret, or somebody or something that the action reaches. */
export function mayBeAny(name: string): boolean {
  const forms = /^[ -~]*$/.test(name) ? [name] : [name, plainForm(name), sameLook(name)]
  return forms.every(
    (form) =>
      moneyNameOf(form) === null && !isSecretName(form) && !namesRecipient(form) && !namesReached(form),
  )
}
