/** Runs the server of most tests. Each test makes its own people on it: `common-server.ts <runner's pid> <file>`. */
import { startServer } from './server'
import { serve } from './shared-server'

await serve(async () => ({ server: await startServer({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } }) }))
