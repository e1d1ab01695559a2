/**
 * The values of sentences that no translator of a page may change: what somebody signs must be what they read. In a sentence that travels as a
 * text, such a value stands between two marks, which isolate it also where nothing renders them.
 */

/** The names of these values in the table of sentences. One text, which browsers load only with its use. */
const names =
  ' action address agent agentName agent_name amount asker audience blockableName certId client_name device display_name domain duckling_id email endpoint file fileName folder handle hash host id ip issuer issuer2 kid mark name operator origin payees person phone query recipient requester sentence sharer site sum target text url value who '

/** Whether a value of this name stays. */
export const isKept = (name: string): boolean => names.includes(` ${name} `)

/** Words of the service for an action are translated. An action without such words stands in quotation marks: “shop order”, “shop.order”. */
const actionName = /^“[a-z][a-z0-9_.*/: -]*”$/

const marks = /[\u2068\u2069]/g

/** Returns a value with marks around it. */
export const kept = (value: string): string => `\u2068${value.replace(marks, '')}\u2069`

/** Returns the words for an action, with marks around them when they are only its name. */
export const keptAction = (words: string): string => (actionName.test(words) ? kept(words) : words)

/** Returns the values of a sentence with marks around those that stay. */
export function withKept<Values>(values: Values): Values {
  const entries = Object.entries(values ?? {}).map(([name, value]) => {
    if (typeof value !== 'string' || !isKept(name)) return [name, value]
    return [name, name === 'action' ? keptAction(value) : kept(value)]
  })
  return Object.fromEntries(entries) as Values
}

/** Returns a sentence with marks around the values that stay, for `<KeptText>`: a message that the server sends to a form. */
export const keptText = <Values>(of: (values: Values) => string, values: Values): string =>
  of(withKept(values))

/** Returns the parts of a text with marks: every second one stays as it is. */
export const keptParts = (text: string): string[] => text.split(/\u2068([^\u2068\u2069]*)\u2069/)

/** Returns a text without marks. */
export const withoutMarks = (text: string): string => text.replace(marks, '')
