/** What the name of a param says about its value. `totalAmount` counts like `total_amount`. */

const moneyWord =
  /(^|_)(amount|budget|cash|cost|deposit|donation|fee|money|payment|payout|price|refund|salary|salarie|subtotal|sum|total|wage)s?\d*(_|$)/
/** A name that ends with one of these words names a detail of a payment, which has digits of its own: `payment_id`. */
const detailWord =
  /_(account|address|at|center|code|date|day|description|email|iban|ids?|key|link|method|name|no|note|number|reason|reference|ref|status|time|token|type|url)$/
const secretWord =
  /(^|_)(password|passwd|passphrase|secret|token|api_?key|private_?key|credential|pin|cvv|cvc)s?\d*(_|$)/

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .replace(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
}

/** `amount`: the value is an amount of money. `detail`: the value may also be a number or a date of a payment. */
export type MoneyName = 'amount' | 'detail' | null

/** Returns what the name says about money. */
export function moneyNameOf(name: string): MoneyName {
  const words = snakeCase(name)
  if (!moneyWord.test(words)) return null
  return detailWord.test(words) ? 'detail' : 'amount'
}

/** Whether the name says that the value is a secret. */
export function isSecretName(name: string): boolean {
  return secretWord.test(snakeCase(name))
}
