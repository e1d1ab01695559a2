import { groupedIban } from '@beak/decision/iban'
import { namesRecipient, sends } from '@beak/decision/naming-names'
import { snakeCase } from '@beak/decision/secret-values'
import { visible } from '@beak/decision/visible'
import type { DisplayValue } from '../_peck/reads'
import { listText } from '../_values/list-text'

/** What the buttons of a decision repeat of the values, which a narrow window may show only after scrolling. */
export interface BarValues {
  amount: string | null
  recipient: string | null
  /** A value needs a second look, so none is repeated without its warning. */
  isMarked: boolean
}

/** Names of the account that gets the money. Another account may be the one that pays. */
const accounts = new Set(['iban', 'to_iban', 'payee_iban', 'recipient_iban'])

/** What is left of "€1,234.50" or "CHF 12.00" without the figure. */
const currencyIn = ({ text }: DisplayValue) => text.replace(/[\d.,\s]/g, '')

/** A longer recipient is not repeated: its end may be what tells it from another. */
const maxLength = 80

/**
 * Returns the largest amount of a request and whom it reaches, as the list of values shows them (contract D). `values`: sorted, as
 * `GET /beak/peck/details` sends them. Null with amounts of several currencies, and without an amount and one whole recipient.
 */
export function barValuesOf(action: string, values: DisplayValue[]): BarValues | null {
  const amounts = values.filter(({ type }) => type === 'money')
  const [amount] = amounts
  // The largest figure is the largest amount only within one currency.
  if (new Set(amounts.map(currencyIn)).size > 1) return null
  if (amount !== undefined && values.some(({ warning }) => warning !== undefined))
    return { amount: null, recipient: null, isMarked: true }
  const reached = sends(action.split(':')[0] ?? '')
    ? values.filter(
        ({ name, type }) => type !== 'secret' && (namesRecipient(name) || accounts.has(snakeCase(name))),
      )
    : []
  const isAccount = ({ name }: DisplayValue) => accounts.has(snakeCase(name))
  const ofAccounts = reached.filter(isAccount)
  // A transfer names one account and whose it is. The account is first, because the money goes there whatever the name says.
  const isTransfer = reached.length === 2 && ofAccounts.length === 1
  const recipient = [...ofAccounts, ...reached.filter((value) => !isAccount(value))]
    .map(({ text }) => visible(groupedIban(text) ?? listText(text)))
    .join(', ')
  const isWhole = (reached.length === 1 || isTransfer) && recipient.length <= maxLength
  if (amount !== undefined)
    return { amount: visible(amount.text), recipient: isWhole ? recipient : null, isMarked: false }
  // Without an amount, whom it reaches is what decides. A warning stands beside its value.
  return isWhole && values.every(({ warning }) => warning === undefined)
    ? { amount: null, recipient, isMarked: false }
    : null
}
