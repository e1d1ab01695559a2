/** Runs once when Next starts to serve, in our own server and alone. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { config } = await import('@/lib/kernel/config')
  // next-auth takes the origin of its links and redirects from here; from BASE_URL, that is, and never from a request.
  process.env.NEXTAUTH_URL = config().baseUrl
  // Where Next serves alone, nobody else starts the outbox worker. In our own server it is running already.
  const { startWorker } = await import('@/lib/worker/start')
  await startWorker()
}
