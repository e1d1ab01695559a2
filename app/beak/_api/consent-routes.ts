/** The part of the route table about programs and sites that people let in, in a file of its own so that no file gets too long. */
import * as consentAllow from '../consent/allow/route'
import * as consentDeny from '../consent/deny/route'
import * as consentList from '../consent/list/route'
import * as consentRevoke from '../consent/revoke/route'
import * as consentSignIn from '../consent/sign-in/route'
import * as consentView from '../consent/view/route'
import * as siteDelete from '../site/delete/route'
import * as siteList from '../site/list/route'
import * as siteRegister from '../site/register/route'
import * as siteUpdate from '../site/update/route'

export const consentRoutes = {
  '/beak/consent/view': consentView,
  '/beak/consent/allow': consentAllow,
  '/beak/consent/deny': consentDeny,
  '/beak/consent/sign-in': consentSignIn,
  '/beak/consent/list': consentList,
  '/beak/consent/revoke': consentRevoke,
  '/beak/site/register': siteRegister,
  '/beak/site/list': siteList,
  '/beak/site/update': siteUpdate,
  '/beak/site/delete': siteDelete,
}
