/** Runs in the browser before anything else of the pages. */
import { guardRouterFetch } from '@/components/connection/router-fetch'

guardRouterFetch()
