// The pages of the commands and flags of a webhook endpoint, and of the resend of a delivery.
import { ENDPOINT_ACTIONS, RESEND } from '../actions/of-endpoint.js';
import { resolutionOf } from '../actions/of-flag.js';
import type { Subject } from '../actions/pages.js';
import type { WebhookEndpoint } from '../answers.js';
import type { Answered } from '../own-api.js';
import { parameter, type Visit } from '../visit.js';
import { actionPages } from './command-forms.js';
import { endpointPage, endpointPath } from './endpoint.js';

const PATH = '/console/webhook-endpoints/{id}';
const NOUN = 'webhook endpoint with this id';

async function endpointOf(visit: Visit): Promise<Answered<Subject<WebhookEndpoint>>> {
  const id = parameter(visit, 'id');
  const path = endpointPath(id);
  const { answer, problem } = await visit.api.read<{ data: WebhookEndpoint }>(path);
  if (problem !== undefined) return { problem };
  return { answer: { resource: answer.data, name: 'the webhook endpoint', page: endpointPage(id), path } };
}

async function deliveryOf(visit: Visit): Promise<Answered<Subject<WebhookEndpoint>>> {
  const { answer, problem } = await endpointOf(visit);
  if (problem !== undefined) return { problem };
  const delivery = encodeURIComponent(parameter(visit, 'delivery'));
  return { answer: { ...answer, path: `${answer.path}/deliveries/${delivery}` } };
}

export const endpointCommands = [
  ...actionPages<WebhookEndpoint>({
    ...{ path: `${PATH}/commands/{command}`, operation: 'WebhookEndpointCommand', noun: NOUN },
    subject: endpointOf,
    action: (visit) => ENDPOINT_ACTIONS.find(({ name }) => name === parameter(visit, 'command')),
  }),
  ...actionPages<WebhookEndpoint>({
    ...{ path: `${PATH}/deliveries/{delivery}/resend`, operation: 'WebhookResend', noun: NOUN },
    subject: deliveryOf,
    action: () => RESEND,
  }),
  ...actionPages<WebhookEndpoint>({
    ...{ path: `${PATH}/flags/{code}`, operation: 'WebhookEndpointFlag', noun: NOUN },
    subject: endpointOf,
    action: (visit) => ({ ...resolutionOf(parameter(visit, 'code')), takesApproval: false }),
  }),
];
