// A client for callers, and its page in Temporal's UI.
import { CLIENT_LIFECYCLE, isClientFinal } from '../../domain/client/lifecycle.js';
import { readable, readableReason, requestedInWords, type Published } from '../engine/publish.js';
import { CLIENTS_ABOVE, CLIENT_ID, CLIENT_STATE } from '../contracts/search-attributes.js';
import { factNotes, publishedResource, resourceView } from '../resource/view.js';
import { newClient, type ClientState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ClientInput, ClientView } from './contract.js';

export function viewOf(state: ClientState) {
  const view = resourceView(CLIENT_LIFECYCLE, state, state.requestedAt);
  const { order, particulars, providerId, adopted, requestedAt, requestedBy, submission, failure, changes } =
    state;
  return {
    ...view,
    order,
    particulars,
    clientId: providerId,
    adopted: adopted === true,
    failure: view.state !== 'unknown' && isClientFinal(view.state) ? failure : undefined,
    requestedAt,
    requestedBy,
    submissions: submission.count,
    changes: changes.map(({ key: _, ...change }) => change),
  };
}

/** The view of a new client. The API answers the request with it, before the workflow runs. */
export const firstView = (input: ClientInput, now: Instant): ClientView => viewOf(newClient(input, now));

export function published(state: ClientState): Published {
  const view = viewOf(state);
  const { clientId, adopted, failure, changes, requestedAt, requestedBy } = view;
  const origin = adopted ? 'found at the provider' : 'registered by us';
  const change = changes.at(-1);
  return publishedResource('client', state, view.state, {
    own: [
      { key: CLIENT_STATE, value: view.state },
      ...(clientId === undefined ? [] : [{ key: CLIENT_ID, value: clientId }]),
      ...(state.above.length === 0 ? [] : [{ key: CLIENTS_ABOVE, value: state.above }]),
    ],
    notes: [
      requestedInWords(requestedAt, requestedBy),
      ...(clientId === undefined ? [] : [`client ${clientId} at the provider, ${origin}`]),
      ...(failure === undefined ? [] : [readableReason(failure)]),
      ...(change === undefined
        ? []
        : [`the latest change, requested ${readable(change.requestedAt)}, is ${change.stage}`]),
      ...(change?.failure === undefined ? [] : [readableReason(change.failure)]),
      ...factNotes(state.facts),
    ],
  });
}
