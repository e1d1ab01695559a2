/** The whole API on one screen: path → route module. A test holds it against the folders. */
import * as agentBond from '../agent/bond/route'
import * as agentRegister from '../agent/register/route'
import * as openapi from '../openapi.json/route'
import * as profile from '../profile/route'
import * as signinOtp from '../signin/otp/route'
import * as signin from '../signin/route'
import * as signup from '../signup/route'
import * as verifyEmailResend from '../verify-email/resend/route'
import * as verifyEmail from '../verify-email/route'
import type { Table } from './serve'

export const table: Table = {
  '/beak/signup': signup,
  '/beak/verify-email': verifyEmail,
  '/beak/verify-email/resend': verifyEmailResend,
  '/beak/signin': signin,
  '/beak/signin/otp': signinOtp,
  '/beak/profile': profile,
  '/beak/agent/register': agentRegister,
  '/beak/agent/bond': agentBond,
  '/beak/openapi.json': openapi,
}
