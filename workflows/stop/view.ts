// How the stops of payments look to operators in Temporal's UI.
import { published as publishedBy, readable } from '../entity/engine/publish.js';
import type { StopRequest } from '../../domain/payment/stop.js';
import type { Published } from '../entity/engine/publish.js';
import type { State } from './contract.js';

/** A page is for reading; the API lists all. */
const MOST_LISTED = 50;

export function published({ stops, resumptions, startedAt }: State): Published {
  const resumed = resumptions.map(({ at, ...of }) => `${whose(of)} were resumed ${readable(at)}, ${why(of)}`);
  const stopped = stops.map(
    ({ since, ...of }) => `${whose(of)} are not sent since ${readable(since)}, ${why(of)}`,
  );
  const notes = [
    ...stopped.slice(0, MOST_LISTED),
    stops.length > MOST_LISTED && `and ${stops.length - MOST_LISTED} more: GET /v1/stop`,
    stops.length > 0 &&
      'to resume: POST /v1/stop/resumption with a reason, and with its connection if it has one',
    ...resumed.reverse(),
  ].filter((note) => note !== false);
  const title = stops.length === 0 ? 'No payment is stopped' : 'Payments are stopped';
  return publishedBy({
    title,
    awaiting: { what: 'nothing', since: startedAt },
    attention: [],
    own: [],
    notes,
  });
}

const whose = ({ connectionId }: StopRequest): string =>
  connectionId === undefined ? 'all payments' : `payments of the connection ${connectionId}`;

const why = ({ by, reason }: StopRequest): string => `by the API key ${by}: ${reason}`;
