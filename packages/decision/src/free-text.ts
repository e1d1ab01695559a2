/**
 * The action of a request in the asker's own words: "borrow your car on Sunday". Nobody can check such a sentence by a rule, and no service
 * can act on it. So an approval of it is an answer: it gives no permission, no rule answers it, and it is approved one by one.
 */
import { isTestRequest } from './test-request'

export const freeTextAction = 'ask:favour'

/** The param that has the sentence. It names the object of the action, so that lists, buttons and mails show it. */
export const freeTextParam = 'favour'

/** Whether a peck with this action asks in free text. Client, approver, pages and rules decide by this function alone. */
export const isFreeText = (action: string): boolean => action === freeTextAction

/** Returns the sentence of a request in free text. One that needs a warning stays among the values, where what is odd is marked. */
export const freeTextValue = <Value extends { name: string; type: string; warning?: string | undefined }>(
  action: string,
  values: Value[],
): Value | undefined =>
  isFreeText(action)
    ? values.find(
        ({ name, type, warning }) => name === freeTextParam && type !== 'secret' && warning === undefined,
      )
    : undefined

/** Whether an approval of this action gives no permission: an answer in words, and a test. */
export const permitsNothing = (action: string): boolean => isFreeText(action) || isTestRequest(action)
