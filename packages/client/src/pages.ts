/** Iterates over lists. */
import type { BeakOperations } from './generated/methods'
import type { OperationTypes } from './generated/types'
import type { CallOptions } from './options'

/** A page of a list. */
export interface Page {
  items: unknown[]
  /** Null on the last page. */
  next_cursor: string | null
}

/** The operations that answer with a page of items. */
export type ListOperation = {
  [Name in keyof OperationTypes]: OperationTypes[Name]['output'] extends Page ? Name : never
}[keyof OperationTypes]

/** The type of an item of a list. */
export type ItemOf<Name extends ListOperation> = OperationTypes[Name]['output']['items'][number]

export async function* iterate<Name extends ListOperation>(
  beak: BeakOperations,
  name: Name,
  input: OperationTypes[Name]['input'],
  options: CallOptions,
): AsyncGenerator<ItemOf<Name>, void, undefined> {
  let page = input
  for (;;) {
    const { items, next_cursor } = await beak.call(name, page, options)
    yield* items
    if (next_cursor === null) return
    page = { ...page, cursor: next_cursor }
  }
}
