/** Whether the answer should be JSON: the client names it, and does not also take HTML. */
export function wantsJson(accept: string): boolean {
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}
