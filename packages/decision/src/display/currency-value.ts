interface ShownValue {
  name: string
  type: string
  text: string
  warning?: unknown
}

/** Whether a value is only the code of a currency beside an amount, which has it in its text. */
export function isCurrencyOfAmount(
  { name, text, warning }: ShownValue,
  all: readonly Pick<ShownValue, 'type'>[],
): boolean {
  if (name !== 'currency' || warning !== undefined || !/^[A-Za-z]{3}$/.test(text)) return false
  return all.some(({ type }) => type === 'money')
}
