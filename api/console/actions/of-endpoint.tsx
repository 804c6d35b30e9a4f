// The commands of a webhook endpoint, and of one of its deliveries.
import type { Delivery, EventPage, WebhookEndpoint } from '../answers.js';
import type { Form } from '../form.js';
import { counted, sydneyInstant, sydneyTime } from '../format.js';
import type { Answered } from '../own-api.js';
import { Foreign, State } from '../parts.js';
import type { Visit } from '../visit.js';
import { pathOf } from '../../routes/links.js';
import type { Action, Request } from './action.js';

const MOST = 200;

export const ENDPOINT_ACTIONS: readonly Action<WebhookEndpoint>[] = [
  {
    ...{ name: 'test', title: 'Send a test event', scope: 'write' },
    isOffered: () => true,
    effect: ({ url }) => [
      `The API sends one test event to ${url} now, also while the endpoint is disabled, and shows what the receiver answered.`,
    ],
    fields: [],
    request: (path) => ({ path: `${path}/test`, body: {} }),
    done: 'The test event was sent.',
    outcome: deliveryOutcome,
  },
  {
    ...{ name: 'replay', title: 'Replay events', scope: 'write' },
    isOffered: () => true,
    effect: () => [
      'The endpoint gets the stored events from the time below until now again, in addition to new ones, with the same ids.',
      'A receiver that ignores ids that it has handled does nothing twice. One replay runs at a time.',
    ],
    fields: [
      { name: 'since', label: 'From, in Sydney', type: 'sydney-time', isRequired: true },
      {
        ...{ name: 'types', label: 'Types (optional)', type: 'text', isRequired: false, longest: 2000 },
        hint: 'Separated by commas, such as payment.settled, agreement.*. Empty: all that the endpoint receives.',
      },
    ],
    request: replayRequest,
    preview: previewOfReplay,
    done: 'The replay has started. Its deliveries appear below, and “Replays” is 0 once it has finished.',
  },
  {
    ...{ name: 'enabling', title: 'Enable', scope: 'write' },
    isOffered: ({ status }) => status === 'disabled',
    effect: ({ delivery }) => [
      `The endpoint continues where it stopped: it gets the events since ${sydneyTime(delivery.up_to_date_until)} that are still stored.`,
      'Correct the receiver first, and send a test event. An endpoint that fails for three days is disabled again.',
    ],
    fields: [],
    request: (path) => ({ path, body: { status: 'enabled' }, method: 'PATCH' }),
    done: 'The endpoint is enabled.',
  },
  {
    ...{ name: 'disabling', title: 'Disable', scope: 'write' },
    isOffered: ({ status }) => status === 'enabled',
    effect: () => [
      'The endpoint gets no events until it is enabled. They wait for as long as they are stored.',
    ],
    fields: [],
    request: (path) => ({ path, body: { status: 'disabled' }, method: 'PATCH' }),
    done: 'The endpoint is disabled.',
  },
];

/** Sends the event of one delivery again. */
export const RESEND: Action<WebhookEndpoint> = {
  ...{ name: 'resend', title: 'Resend', scope: 'write' },
  isOffered: () => true,
  effect: ({ url }) => [
    `The API sends the event of this delivery to ${url} again now, with the same id, and shows what the receiver answered.`,
    'It makes one attempt, also while the endpoint is disabled. If that fails, it is not repeated.',
  ],
  fields: [],
  request: (path) => ({ path: `${path}/resend`, body: {} }),
  done: 'The event was sent again.',
  outcome: deliveryOutcome,
};

const typesIn = ({ types = '' }: Form): string[] =>
  types
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');

function replayRequest(path: string, form: Form): Request {
  const since = sydneyInstant(form['since'] ?? '');
  if (since === undefined) return { wrong: 'Enter the day and the time from which events are sent again.' };
  const types = typesIn(form);
  return { path: `${path}/replay`, body: { since, ...(types.length > 0 && { types }) } };
}

/** Counts the events that the key of the person may see, because the replay itself only says that it has started. */
async function previewOfReplay({ api }: Visit, form: Form): Promise<Answered<string>> {
  const since = sydneyInstant(form['since'] ?? '') ?? '';
  const types = typesIn(form);
  const type = types.length === 0 ? undefined : types.join(',');
  const { answer, problem } = await api.read<EventPage>(
    pathOf('/v1/events', { since, type, per_page: MOST }),
  );
  if (problem !== undefined) return { problem };
  const { data, up_to_date: isWhole } = answer;
  const first = data[0];
  const count = `${isWhole ? '' : 'at least '}${counted(data.length, 'event')}`;
  return {
    answer:
      first === undefined
        ? `Your key sees no such event since ${sydneyTime(since)}, so there is probably nothing to send again.`
        : `Your key sees ${count} since ${sydneyTime(since)}, the first of ${sydneyTime(first.created_at)}. The endpoint gets those of them that it receives.`,
  };
}

/** What the receiver wrote may repeat personal data of the event. */
function deliveryOutcome(answer: unknown, { key }: Visit) {
  const { data } = answer as { data: Delivery };
  const { outcome, status, problem, duration_ms: ms, answer: text } = data;
  const isDelivered = outcome === 'delivered';
  return (
    <div class={`notice ${isDelivered ? 'good' : 'bad'}`} role={isDelivered ? 'status' : 'alert'}>
      <p>
        <State state={outcome} />{' '}
        {status === null
          ? `The receiver did not answer${problem === null ? '' : `: ${problem}`}.`
          : `The receiver answered ${status} after ${ms} ms.`}
      </p>
      {text === null || text === '' || !key.scopes.includes('personal') ? null : (
        <p>
          It wrote: <Foreign text={text} />
        </p>
      )}
    </div>
  );
}
