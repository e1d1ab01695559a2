/** Runs in the browser before anything else of the pages. */
import { guardRouterFetch } from '@/components/connection/router-fetch'
import { takeBackChanges } from '@/components/foreign/early-changes'
import { guardDom } from '@/components/foreign/guard-dom'
import { keepTypedFields } from '@/components/foreign/typed-fields'

keepTypedFields()
guardDom()
takeBackChanges()
guardRouterFetch()
