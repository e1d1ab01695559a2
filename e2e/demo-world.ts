/** Runs a server with the demo world for the tests that only read it: `demo-world.ts <runner's pid> <file>`. */
import { startDemoWorld } from './demo-people'
import { serve } from './shared-server'

await serve(startDemoWorld)
