/** The route table: path to route module. A test compares it with the folders. */
import * as jwks from '../../.well-known/jwks.json/route'
import * as accountDeletePreview from '../account/delete/preview/route'
import * as accountDelete from '../account/delete/route'
import * as accountExport from '../account/export/route'
import * as agentActivity from '../agent/activity/route'
import * as agentBond from '../agent/bond/route'
import * as agentDeregisterPreview from '../agent/deregister/preview/route'
import * as agentDeregister from '../agent/deregister/route'
import * as agentGuard from '../agent/guard/route'
import * as agentHandshake from '../agent/handshake/route'
import * as agentHeartbeat from '../agent/heartbeat/route'
import * as agentList from '../agent/list/route'
import * as agentRegister from '../agent/register/route'
import * as agentResume from '../agent/resume/route'
import * as agentRules from '../agent/rules/route'
import * as agentSuspend from '../agent/suspend/route'
import * as agentTestRequest from '../agent/test-request/route'
import * as agentToken from '../agent/token/route'
import * as agentUpdate from '../agent/update/route'
import * as agentVerify from '../agent/verify/route'
import * as approverEnrol from '../approver/enrol/route'
import * as approverEnrolVerify from '../approver/enrol/verify/route'
import * as approverKeep from '../approver/keep/route'
import * as approverRemove from '../approver/remove/route'
import * as approverView from '../approver/view/route'
import * as auditHead from '../audit/head/route'
import * as auditProof from '../audit/proof/route'
import * as audit from '../audit/route'
import * as certIssue from '../cert/issue/route'
import * as certList from '../cert/list/route'
import * as certRevoke from '../cert/revoke/route'
import * as certVerify from '../cert/verify/route'
import * as certView from '../cert/view/route'
import * as channelAdd from '../channel/add/route'
import * as channelList from '../channel/list/route'
import * as channelPushKey from '../channel/push-key/route'
import * as channelRemove from '../channel/remove/route'
import * as channelTest from '../channel/test/route'
import * as channelUpdate from '../channel/update/route'
import * as contactList from '../contact/list/route'
import * as contactUpdate from '../contact/update/route'
import * as deviceApprove from '../device/approve/route'
import * as deviceAuthorize from '../device/authorize/route'
import * as deviceDeny from '../device/deny/route'
import * as deviceToken from '../device/token/route'
import * as deviceView from '../device/view/route'
import * as emailChange from '../email-change/route'
import * as emailChangeUndoCancel from '../email-change/undo/cancel/route'
import * as emailChangeUndo from '../email-change/undo/route'
import * as handleClaim from '../handle/claim/route'
import * as handleRelease from '../handle/release/route'
import * as handleView from '../handle/view/route'
import * as invitationCreate from '../invitation/create/route'
import * as invitationList from '../invitation/list/route'
import * as invitationRevoke from '../invitation/revoke/route'
import * as invitationView from '../invitation/view/route'
import * as keyRotate from '../key/rotate/route'
import * as metricsHistory from '../metrics/history/route'
import * as metrics from '../metrics/route'
import * as nameChange from '../name-change/route'
import * as nameChangeUndo from '../name-change/undo/route'
import * as newsletterConfirm from '../newsletter/confirm/route'
import * as newsletterSubscribe from '../newsletter/subscribe/route'
import * as newsletterUnsubscribe from '../newsletter/unsubscribe/route'
import * as notifications from '../notifications/route'
import * as notificationsUpdate from '../notifications/update/route'
import * as openapi from '../openapi.json/route'
import * as pageview from '../pageview/route'
import * as passkeyChallenge from '../passkey/challenge/route'
import * as passkeyConfirm from '../passkey/confirm/route'
import * as passkeyEndorse from '../passkey/endorse/route'
import * as passkeyList from '../passkey/list/route'
import * as passkeyLoginOptions from '../passkey/login/options/route'
import * as passkeyLogin from '../passkey/login/route'
import * as passkeyRecoverCancel from '../passkey/recover/cancel/route'
import * as passkeyRecover from '../passkey/recover/route'
import * as passkeyRegister from '../passkey/register/route'
import * as passkeyRegisterVerify from '../passkey/register/verify/route'
import * as passkeyRemove from '../passkey/remove/route'
import * as peckApprove from '../peck/approve/route'
import * as peckAsker from '../peck/asker/route'
import * as peckAskers from '../peck/askers/route'
import * as peckBlock from '../peck/block/route'
import * as peckBlocks from '../peck/blocks/route'
import * as peckCancel from '../peck/cancel/route'
import * as peckCheck from '../peck/check/route'
import * as peckConsume from '../peck/consume/route'
import * as peckDecide from '../peck/decide/route'
import * as peckDetails from '../peck/details/route'
import * as peckHistory from '../peck/history/route'
import * as peckInbox from '../peck/inbox/route'
import * as peckOutcome from '../peck/outcome/route'
import * as peckReceipt from '../peck/receipt/route'
import * as peckReject from '../peck/reject/route'
import * as peckRequest from '../peck/request/route'
import * as peckRevoke from '../peck/revoke/route'
import * as peckRevokeAll from '../peck/revoke-all/route'
import * as peckShare from '../peck/share/route'
import * as peckShared from '../peck/shared/route'
import * as peckSnooze from '../peck/snooze/route'
import * as peckStatus from '../peck/status/route'
import * as peckStream from '../peck/stream/route'
import * as peckUnblock from '../peck/unblock/route'
import * as peckUndo from '../peck/undo/route'
import * as peckUnpause from '../peck/unpause/route'
import * as peckUnshare from '../peck/unshare/route'
import * as peckUses from '../peck/uses/route'
import * as profileOverview from '../profile/overview/route'
import * as profile from '../profile/route'
import * as profileUpdate from '../profile/update/route'
import * as root from '../route'
import * as sessionDisown from '../session/disown/route'
import * as sessionList from '../session/list/route'
import * as sessionRevoke from '../session/revoke/route'
import * as signinLink from '../signin/link/route'
import * as signinOtp from '../signin/otp/route'
import * as signin from '../signin/route'
import * as signout from '../signout/route'
import * as signup from '../signup/route'
import * as spaceducksFind from '../spaceducks/find/route'
import * as spaceducks from '../spaceducks/route'
import * as ssoBridge from '../sso/bridge/route'
import * as ssoIssue from '../sso/issue/route'
import * as ssoVerify from '../sso/verify/route'
import * as supportContact from '../support/contact/route'
import * as systemHistory from '../system/history/route'
import * as systemStatus from '../system/status/route'
import * as trustElevate from '../trust/elevate/route'
import * as verifyEmailResend from '../verify-email/resend/route'
import * as verifyEmail from '../verify-email/route'
import * as webhookCreate from '../webhook/create/route'
import * as webhookDelete from '../webhook/delete/route'
import * as webhookDeliveries from '../webhook/deliveries/route'
import * as webhookList from '../webhook/list/route'
import * as webhookRedeliver from '../webhook/redeliver/route'
import * as webhookRotateSecret from '../webhook/rotate-secret/route'
import * as webhookTest from '../webhook/test/route'
import * as webhookUpdate from '../webhook/update/route'
import { consentRoutes } from './consent-routes'
import { describeTable } from './described'
import { outsideBeak } from './outside-beak'
import { ruleRoutes } from './rule-routes'
import type { Table } from './serve'

const routes = {
  '/beak/signup': signup,
  '/beak/verify-email': verifyEmail,
  '/beak/verify-email/resend': verifyEmailResend,
  '/beak/email-change': emailChange,
  '/beak/email-change/undo': emailChangeUndo,
  '/beak/email-change/undo/cancel': emailChangeUndoCancel,
  '/beak/signin': signin,
  '/beak/signin/otp': signinOtp,
  '/beak/signin/link': signinLink,
  '/beak/passkey/register': passkeyRegister,
  '/beak/passkey/register/verify': passkeyRegisterVerify,
  '/beak/passkey/login': passkeyLogin,
  '/beak/passkey/login/options': passkeyLoginOptions,
  '/beak/passkey/challenge': passkeyChallenge,
  '/beak/passkey/confirm': passkeyConfirm,
  '/beak/passkey/endorse': passkeyEndorse,
  '/beak/passkey/recover': passkeyRecover,
  '/beak/passkey/recover/cancel': passkeyRecoverCancel,
  '/beak/passkey/list': passkeyList,
  '/beak/passkey/remove': passkeyRemove,
  '/beak/signout': signout,
  '/beak/device/authorize': deviceAuthorize,
  '/beak/device/token': deviceToken,
  '/beak/device/view': deviceView,
  '/beak/device/approve': deviceApprove,
  '/beak/device/deny': deviceDeny,
  '/beak/session/disown': sessionDisown,
  '/beak/session/list': sessionList,
  '/beak/session/revoke': sessionRevoke,
  '/beak/profile/overview': profileOverview,
  '/beak/account/export': accountExport,
  '/beak/account/delete': accountDelete,
  '/beak/account/delete/preview': accountDeletePreview,
  '/beak/trust/elevate': trustElevate,
  '/beak/profile': profile,
  '/beak/profile/update': profileUpdate,
  '/beak/name-change': nameChange,
  '/beak/name-change/undo': nameChangeUndo,
  '/beak/handle/claim': handleClaim,
  '/beak/handle/release': handleRelease,
  '/beak/handle/view': handleView,
  '/beak/notifications': notifications,
  '/beak/notifications/update': notificationsUpdate,
  '/beak/channel/add': channelAdd,
  '/beak/channel/list': channelList,
  '/beak/channel/remove': channelRemove,
  '/beak/channel/test': channelTest,
  '/beak/channel/update': channelUpdate,
  '/beak/spaceducks': spaceducks,
  '/beak/channel/push-key': channelPushKey,
  '/beak/spaceducks/find': spaceducksFind,
  '/beak/cert/view': certView,
  '/beak/cert/list': certList,
  '/beak/cert/issue': certIssue,
  '/beak/cert/verify': certVerify,
  '/beak/cert/revoke': certRevoke,
  '/beak/peck/request': peckRequest,
  '/beak/peck/approve': peckApprove,
  '/beak/peck/reject': peckReject,
  '/beak/peck/undo': peckUndo,
  '/beak/peck/snooze': peckSnooze,
  '/beak/peck/cancel': peckCancel,
  '/beak/peck/revoke': peckRevoke,
  '/beak/peck/revoke-all': peckRevokeAll,
  '/beak/peck/check': peckCheck,
  '/beak/peck/consume': peckConsume,
  '/beak/peck/history': peckHistory,
  '/beak/peck/asker': peckAsker,
  '/beak/peck/askers': peckAskers,
  '/beak/peck/details': peckDetails,
  '/beak/peck/inbox': peckInbox,
  '/beak/peck/share': peckShare,
  '/beak/peck/unshare': peckUnshare,
  '/beak/peck/shared': peckShared,
  '/beak/peck/decide': peckDecide,
  '/beak/peck/status': peckStatus,
  '/beak/peck/stream': peckStream,
  '/beak/peck/outcome': peckOutcome,
  '/beak/peck/receipt': peckReceipt,
  '/beak/peck/block': peckBlock,
  '/beak/peck/unblock': peckUnblock,
  '/beak/peck/unpause': peckUnpause,
  '/beak/peck/blocks': peckBlocks,
  '/beak/peck/uses': peckUses,
  '/beak/agent/register': agentRegister,
  '/beak/agent/rules': agentRules,
  '/beak/agent/list': agentList,
  '/beak/agent/activity': agentActivity,
  '/beak/agent/update': agentUpdate,
  '/beak/agent/bond': agentBond,
  '/beak/agent/handshake': agentHandshake,
  '/beak/agent/test-request': agentTestRequest,
  '/beak/agent/suspend': agentSuspend,
  '/beak/agent/resume': agentResume,
  '/beak/agent/deregister': agentDeregister,
  '/beak/agent/deregister/preview': agentDeregisterPreview,
  '/beak/agent/heartbeat': agentHeartbeat,
  '/beak/agent/guard': agentGuard,
  '/beak/agent/token': agentToken,
  '/beak/agent/verify': agentVerify,
  '/beak/invitation/create': invitationCreate,
  '/beak/invitation/list': invitationList,
  '/beak/invitation/revoke': invitationRevoke,
  '/beak/invitation/view': invitationView,
  '/beak/contact/list': contactList,
  '/beak/contact/update': contactUpdate,
  '/beak/key/rotate': keyRotate,
  '/beak/sso/issue': ssoIssue,
  '/beak/sso/verify': ssoVerify,
  '/beak/sso/bridge': ssoBridge,
  '/beak/webhook/create': webhookCreate,
  '/beak/webhook/list': webhookList,
  '/beak/webhook/update': webhookUpdate,
  '/beak/webhook/delete': webhookDelete,
  '/beak/webhook/test': webhookTest,
  '/beak/webhook/rotate-secret': webhookRotateSecret,
  '/beak/webhook/redeliver': webhookRedeliver,
  '/beak/webhook/deliveries': webhookDeliveries,
  '/beak/audit': audit,
  '/beak/approver/enrol': approverEnrol,
  '/beak/approver/enrol/verify': approverEnrolVerify,
  '/beak/approver/keep': approverKeep,
  '/beak/approver/remove': approverRemove,
  '/beak/approver/view': approverView,
  '/beak/audit/head': auditHead,
  '/beak/audit/proof': auditProof,
  '/beak': root,
  '/beak/metrics': metrics,
  '/beak/metrics/history': metricsHistory,
  '/beak/system/history': systemHistory,
  '/beak/system/status': systemStatus,
  '/beak/pageview': pageview,
  '/beak/newsletter/subscribe': newsletterSubscribe,
  '/beak/newsletter/confirm': newsletterConfirm,
  '/beak/newsletter/unsubscribe': newsletterUnsubscribe,
  '/beak/support/contact': supportContact,
  '/beak/openapi.json': openapi,
  '/.well-known/jwks.json': jwks,
  ...consentRoutes,
  ...ruleRoutes,
  ...outsideBeak,
} satisfies Table

/** The exact types of the table, for typed calls. */
export type Routes = typeof routes
export const table: Table = routes

describeTable(table)
