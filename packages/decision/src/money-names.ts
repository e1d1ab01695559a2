/** What the name of a param says about money. `totalAmount` counts like `total_amount`. */
import { remembered } from './remembered'
import { snakeCase } from './secret-values'

/** Amounts of money in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const moneyWords =
  'amount budget cash cost deposit donation fee money payment payout price refund salary salarie subtotal sum total wage ' +
  'betrag gebuhr gebuehr gehalt geld geldbetrag gesamtbetrag kosten preis preise rechnungsbetrag summe trinkgeld uberweisungsbetrag zahlbetrag zahlung ' +
  'cout frais montant paiement prix salaire solde somme versement ' +
  'cantidad coste costo cuota importe monto pago precio salario suma ' +
  'costi importi importo pagamento prezzi prezzo somma spesa stipendio ' +
  'custo dinheiro montante pagamento preco quantia salario soma taxa valor ' +
  'bedrag bedragen betaling kost prijs prijzen salaris som tarief vergoeding'
const moneyWord = new RegExp(`(^|_)(${[...new Set(moneyWords.split(' '))].join('|')})s?\\d*(_|$)`)
/** A name that ends with one of these words names a detail of a payment, which has digits of its own: `payment_id`. */
const detailWord =
  /_(account|address|at|center|code|date|day|description|email|iban|ids?|key|link|method|name|no|note|number|reason|reference|ref|status|time|token|type|url)$/

/** Names whose numbers count the smallest unit of a currency. */
const minorName =
  /(^|_)(cent|cents|pence|penny|pennies|minor|minor_units?|subunits?|rappen|centimes?|centavos?|ore|groszy|kopeks?|unit_amount)$/

/** Whether a name says that its number counts the smallest unit of a currency: `amount_cents`. */
export const countsMinorUnits = remembered((name) => minorName.test(snakeCase(name)))

/** `amount`: the value is an amount of money. `detail`: the value may also be a number or a date of a payment. */
export type MoneyName = 'amount' | 'detail' | null

/** Returns what the name says about money. */
export const moneyNameOf = remembered((name): MoneyName => {
  const words = snakeCase(name)
  if (!moneyWord.test(words)) return null
  return detailWord.test(words) ? 'detail' : 'amount'
})
