/** `work` did not finish in time. It may still be running: nothing here can stop it. */
export class TookTooLong extends Error {
  constructor(seconds: number) {
    super(`no answer within ${seconds} s`)
    this.name = 'TookTooLong'
  }
}

/** The outcome of `work`, or `TookTooLong` after that many seconds: for those who must answer even when it never does. */
export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(seconds)), seconds * 1000)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    // It may fail later, when nobody waits for it any more.
    work.catch(() => undefined)
  }
}
