/** The parameters of an action. */
export type Params = Record<string, unknown>
