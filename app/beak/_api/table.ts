/** The whole API on one screen: path → route module. A test holds it against the folders. */
import * as agentBond from '../agent/bond/route'
import * as agentDeregister from '../agent/deregister/route'
import * as agentHandshake from '../agent/handshake/route'
import * as agentList from '../agent/list/route'
import * as agentRegister from '../agent/register/route'
import * as agentResume from '../agent/resume/route'
import * as agentSuspend from '../agent/suspend/route'
import * as agentToken from '../agent/token/route'
import * as agentUpdate from '../agent/update/route'
import * as agentVerify from '../agent/verify/route'
import * as emailChange from '../email-change/route'
import * as keyRotate from '../key/rotate/route'
import * as nameChange from '../name-change/route'
import * as openapi from '../openapi.json/route'
import * as passkeyChallenge from '../passkey/challenge/route'
import * as passkeyList from '../passkey/list/route'
import * as passkeyLoginOptions from '../passkey/login/options/route'
import * as passkeyLogin from '../passkey/login/route'
import * as passkeyRegister from '../passkey/register/route'
import * as passkeyRegisterVerify from '../passkey/register/verify/route'
import * as passkeyRemove from '../passkey/remove/route'
import * as profile from '../profile/route'
import * as profileUpdate from '../profile/update/route'
import * as sessionList from '../session/list/route'
import * as sessionRevoke from '../session/revoke/route'
import * as signinOtp from '../signin/otp/route'
import * as signin from '../signin/route'
import * as signout from '../signout/route'
import * as signup from '../signup/route'
import * as spaceducks from '../spaceducks/route'
import * as ssoBridge from '../sso/bridge/route'
import * as ssoIssue from '../sso/issue/route'
import * as ssoVerify from '../sso/verify/route'
import * as trustElevate from '../trust/elevate/route'
import * as verifyEmailResend from '../verify-email/resend/route'
import * as verifyEmail from '../verify-email/route'
import type { Table } from './serve'

export const table: Table = {
  '/beak/signup': signup,
  '/beak/verify-email': verifyEmail,
  '/beak/verify-email/resend': verifyEmailResend,
  '/beak/email-change': emailChange,
  '/beak/signin': signin,
  '/beak/signin/otp': signinOtp,
  '/beak/passkey/register': passkeyRegister,
  '/beak/passkey/register/verify': passkeyRegisterVerify,
  '/beak/passkey/login': passkeyLogin,
  '/beak/passkey/login/options': passkeyLoginOptions,
  '/beak/passkey/challenge': passkeyChallenge,
  '/beak/passkey/list': passkeyList,
  '/beak/passkey/remove': passkeyRemove,
  '/beak/signout': signout,
  '/beak/session/list': sessionList,
  '/beak/session/revoke': sessionRevoke,
  '/beak/trust/elevate': trustElevate,
  '/beak/profile': profile,
  '/beak/profile/update': profileUpdate,
  '/beak/name-change': nameChange,
  '/beak/spaceducks': spaceducks,
  '/beak/agent/register': agentRegister,
  '/beak/agent/list': agentList,
  '/beak/agent/update': agentUpdate,
  '/beak/agent/bond': agentBond,
  '/beak/agent/handshake': agentHandshake,
  '/beak/agent/suspend': agentSuspend,
  '/beak/agent/resume': agentResume,
  '/beak/agent/deregister': agentDeregister,
  '/beak/agent/token': agentToken,
  '/beak/agent/verify': agentVerify,
  '/beak/key/rotate': keyRotate,
  '/beak/sso/issue': ssoIssue,
  '/beak/sso/verify': ssoVerify,
  '/beak/sso/bridge': ssoBridge,
  '/beak/openapi.json': openapi,
}
