/** The names of the fields of the form, and what a call answered. */
import type { Parameter } from '../api/reference'

export const operationField = 'operation'
export const bodyField = 'body'
export const sureField = 'sure'

/** Returns the field of a parameter. */
export const fieldOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>) => `${place}:${name}`

/** What a call answered. */
export interface Tried {
  status: number
  /** Indented JSON. */
  body: string
}
