/** The policy of this page forbids code that is made at run time. Imported first: schemas read this setting when they are made. */
import * as z from 'zod'

z.config({ jitless: true })
