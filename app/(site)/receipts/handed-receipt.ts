/** Hands a receipt from the check page to the page for receipts. It stays in the memory of the page, and never becomes part of an address. */
let handed: string | null = null

export function handOver(receipt: string): void {
  handed = receipt
}

/** Returns the receipt that was handed over, once, or null. */
export function takeHanded(): string | null {
  const receipt = handed
  handed = null
  return receipt
}
