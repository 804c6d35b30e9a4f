// A client for callers, and its page in Temporal's UI.
import { happenedAt, inOrder } from '../../domain/facts/fact.js';
import { CLIENT_LIFECYCLE, isClientFinal } from '../../domain/client/lifecycle.js';
import { readable, readableReason, requestedInWords } from '../engine/publish.js';
import { CLIENTS_ABOVE, CLIENT_ID, CLIENT_STATE } from '../contracts/search-attributes.js';
import { publishedResource, resourceView } from '../resource/view.js';
import type { Published } from '../engine/publish.js';
import type { ClientView } from './contract.js';
import type { ClientState } from './state.js';

export function viewOf(state: ClientState): ClientView {
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

export const published = (state: ClientState): Published =>
  publishedResource({ noun: 'client', lifecycle: CLIENT_LIFECYCLE }, state, (viewState) => ({
    own: [
      { key: CLIENT_STATE, value: viewState },
      ...(state.providerId === undefined ? [] : [{ key: CLIENT_ID, value: state.providerId }]),
      ...(state.above.length === 0 ? [] : [{ key: CLIENTS_ABOVE, value: state.above }]),
    ],
    notes: notesOf(viewOf(state), state),
  }));

function notesOf(
  { clientId, adopted, failure, changes, requestedAt, requestedBy }: ClientView,
  { facts }: ClientState,
): string[] {
  const origin = adopted ? 'found at the provider' : 'registered by us';
  const change = changes.at(-1);
  return [
    requestedInWords(requestedAt, requestedBy),
    ...(clientId === undefined ? [] : [`client ${clientId} at the provider, ${origin}`]),
    ...(failure === undefined ? [] : [readableReason(failure)]),
    ...(change === undefined
      ? []
      : [`the latest change, requested ${readable(change.requestedAt)}, is ${change.stage}`]),
    ...(change?.failure === undefined ? [] : [readableReason(change.failure)]),
    ...inOrder(facts).map(
      (fact) => `${fact.state ?? fact.type}, ${readable(happenedAt(fact))}, source: ${fact.source}`,
    ),
  ];
}
