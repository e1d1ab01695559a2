/** What has to be stopped and deleted at the end, also after an error or Ctrl+C. The newest comes first. */

type Task = () => void | Promise<void>
const tasks: Task[] = []

/** Runs `task` at the end of the benchmark. */
export function atEnd(task: Task): void {
  tasks.push(task)
}

async function runTasks(): Promise<void> {
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    try {
      await task()
    } catch (error) {
      process.stderr.write(`cleaning up: ${error instanceof Error ? error.message : error}\n`)
    }
  }
}

let running: Promise<void> | null = null

/** Runs all tasks once. A failed task does not keep the others from running. */
function cleanUp(): Promise<void> {
  running ??= runTasks()
  return running
}

/** Runs `main` and cleans up after it. Prints an error without its stack and exits with 1. */
export async function runWithCleanup(main: () => Promise<void>): Promise<never> {
  // A terminal and `run.mjs` both send the signal, so it can come twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void cleanUp().then(() => process.exit(130)))
  const exitCode = await main().then(
    () => 0,
    (error: unknown) => {
      // After a signal, the servers are gone and what runs fails.
      if (running === null) process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`)
      return 1
    },
  )
  await cleanUp()
  process.exit(exitCode)
}
