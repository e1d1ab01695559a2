/** Next calls this once when it starts, inside server.ts and with `next start` alone. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { config } = await import('@/lib/kernel/config')
  // next-auth reads the origin of its links and redirects here, so it comes from BASE_URL and not from a request.
  process.env.NEXTAUTH_URL = `${config().baseUrl}/api/auth`
  // With `next start` alone, nothing else starts the outbox worker. Inside server.ts it is already running.
  const { startWorker } = await import('@/lib/worker/start')
  await startWorker()
}
