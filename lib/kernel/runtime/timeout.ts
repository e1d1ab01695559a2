/** Thrown when work does not finish in time. The work may still be running. */
export class TimedOut extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} s`)
    this.name = 'TimedOut'
  }
}

/** Returns the result of `work`. Throws `TimedOut` after `seconds`, for callers that must answer even when `work` never ends. */
export async function withTimeout<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimedOut(seconds)), seconds * 1000)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    // The work may fail later, when nobody waits for it any more.
    work.catch(() => undefined)
  }
}
