// How the stop of payments looks to operators in Temporal's UI.
import { published as publishedBy, readable } from '../entity/engine/publish.js';
import type { Resumption, Stop, StopRequest } from '../../domain/payment/stop.js';
import type { Published } from '../entity/engine/publish.js';
import type { State } from './state.js';

/** A page is for reading; the whole list is answered by the API. */
const MOST_LISTED = 50;

export const published = ({ stops, liftings, awaiting }: State): Published =>
  publishedBy({
    title: stops.length === 0 ? 'No payment is stopped' : 'Payments are stopped',
    awaiting,
    attention: [],
    own: [],
    notes: [
      ...stops.slice(0, MOST_LISTED).map(stopInWords),
      ...(stops.length > MOST_LISTED ? [`and ${stops.length - MOST_LISTED} more: GET /v1/stop`] : []),
      ...(stops.length === 0 ? [] : [HOW_TO_LIFT]),
      ...[...liftings].reverse().map(liftingInWords),
    ],
  });

const HOW_TO_LIFT =
  'to lift a stop: POST /v1/stop/lifting with a reason, and with the connection where it is of one; what waits goes on by itself within a minute';

const stopInWords = ({ since, ...of }: Stop): string =>
  `${whose(of)} are not sent since ${readable(since)}, by the API key ${of.by}: ${of.reason}`;

const liftingInWords = ({ at, ...of }: Resumption): string =>
  `the stop of ${whose(of)} was lifted ${readable(at)}, by the API key ${of.by}: ${of.reason}`;

const whose = ({ connectionId }: StopRequest): string =>
  connectionId === undefined ? 'all payments' : `payments of the connection ${connectionId}`;
