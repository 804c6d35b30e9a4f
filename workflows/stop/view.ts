// The page of the payment stops in Temporal's UI.
import { published as publishedBy, readable, type Published } from '../engine/publish.js';
import type { StopRequest } from '../../domain/payment/stop.js';
import type { StopState } from './contract.js';

/** Limits the page; the API lists all. */
const MOST_LISTED = 50;

/** The stops for the records. Callers read them from the workflow, which alone decides. */
export const viewOf = ({ stops, resumptions, repeats, startedAt, attention }: StopState): object => ({
  ...{ state: stateOf({ stops }), stops, resumptions, repeats, startedAt, attention },
});

export const stateOf = ({ stops }: Pick<StopState, 'stops'>): 'clear' | 'stopped' =>
  stops.length === 0 ? 'clear' : 'stopped';

export function published({ stops, resumptions, startedAt, attention }: StopState): Published {
  const resumed = resumptions.map((one) => {
    const approved = one.approval === undefined ? '' : ` with the approval of ${one.approval.by}`;
    return inWords(one, `were resumed ${readable(one.at)}${approved}`);
  });
  const stopped = stops.map((one) => inWords(one, `have been stopped since ${readable(one.since)}`));
  const notes = [
    ...stopped.slice(0, MOST_LISTED),
    stops.length > MOST_LISTED && `and ${stops.length - MOST_LISTED} more: GET /v1/stop`,
    stops.length > 0 &&
      'to resume your own: POST /v1/stop/resumption with a reason, and with the connection if it has one',
    ...resumed.reverse(),
  ].filter((note) => note !== false);
  const title = stops.length === 0 ? 'No payments are stopped' : 'Payments are stopped';
  return publishedBy({
    title,
    awaiting: { what: 'nothing', since: startedAt },
    attention,
    own: [],
    notes,
  });
}

function inWords({ connectionId, by, reason }: StopRequest, what: string): string {
  const whose = connectionId === undefined ? 'all payments' : `payments of the connection ${connectionId}`;
  return `${whose} ${what}, by ${by}: ${reason}`;
}
