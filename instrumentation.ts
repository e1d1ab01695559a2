/** Where Next serves alone, nobody else starts the outbox worker. In our own server it is running already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { startWorker } = await import('@/lib/worker/run')
  await startWorker()
}
