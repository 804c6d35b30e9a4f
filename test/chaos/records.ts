// Compares the rows, the lists and the events with what the provider has.
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, type PaytoClient } from '../../client/create.js';
import { openRecords } from '../../records/database.js';
import { recordsUrl } from '../../records/settings.schema.js';
import type { Truth } from './judge.js';
import type { ChaosStack } from './stack.js';

export interface RecordedEvent {
  id: string;
  type: string;
  uid: string;
}

/** States by uid, and events in their order. */
export interface Recorded {
  rows: ReadonlyMap<string, string>;
  listed: ReadonlyMap<string, string>;
  events: readonly RecordedEvent[];
  /** As a reader received them that has followed the stream all the time. */
  followed: readonly RecordedEvent[];
}

const WITHIN_MS = 60_000;
const PAUSE_MS = 1000;
const PAGE = 100;

/** Workflows store their last batches after the provider has ended: read again until all is there, or nothing more can be expected. */
export async function recordedInTheEnd(
  stack: Pick<ChaosStack, 'api' | 'recordsUrl'>,
  truth: ReadonlyMap<string, Truth>,
  follower: Follower,
): Promise<Recorded> {
  const untilMs = Date.now() + WITHIN_MS;
  for (;;) {
    const recorded = { ...(await readRecorded(stack)), followed: follower.events() };
    if (recordsViolation(truth, recorded) === undefined || Date.now() > untilMs) return recorded;
    await pause(PAUSE_MS);
  }
}

async function readRecorded({
  api,
  recordsUrl: url,
}: Pick<ChaosStack, 'api' | 'recordsUrl'>): Promise<Omit<Recorded, 'followed'>> {
  const { db, close } = openRecords(recordsUrl.parse(url));
  try {
    const rows = await Promise.all(
      (['agreements', 'payments', 'refunds'] as const).map((table) =>
        db.selectFrom(table).select(['uid', 'state']).execute(),
      ),
    );
    return {
      rows: statesOf(rows.flat()),
      listed: statesOf(await listedIn(api)),
      events: await eventsIn(api),
    };
  } finally {
    await close();
  }
}

type Item = { uid: string; state: string };
const statesOf = (items: readonly Item[]): Map<string, string> =>
  new Map(items.map(({ uid, state }) => [uid, state]));

interface Page<Item> {
  data: readonly Item[];
  links: { next?: string | undefined };
}

async function listedIn(api: PaytoClient): Promise<Item[]> {
  const pages = [
    (cursor?: string): Promise<Page<Item>> =>
      answerOf(api.GET('/v1/agreements', { params: { query: pageAfter(cursor) } })),
    (cursor?: string): Promise<Page<Item>> =>
      answerOf(api.GET('/v1/payments', { params: { query: pageAfter(cursor) } })),
    (cursor?: string): Promise<Page<Item>> =>
      answerOf(api.GET('/v1/refunds', { params: { query: pageAfter(cursor) } })),
  ];
  const all: Item[] = [];
  for (const read of pages) {
    let next: string | undefined;
    do {
      const { data, links } = await read(next);
      all.push(...data);
      next = cursorIn(links.next);
    } while (next !== undefined);
  }
  return all;
}

const pageAfter = (cursor: string | undefined) => ({
  per_page: PAGE,
  ...(cursor !== undefined && { cursor }),
});
const cursorIn = (link = ''): string | undefined =>
  new URLSearchParams(link.split('?')[1]).get('cursor') ?? undefined;

async function eventsIn(api: PaytoClient): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await answerOf(api.GET('/v1/events', { params: { query: pageAfter(cursor) } }));
    all.push(...page.data.map(recordedEventOf));
    if (page.up_to_date) return all;
    cursor = cursorIn(page.links.next);
  }
}

const recordedEventOf = (event: { id: string; type: string; resource: { uid: string } }): RecordedEvent => ({
  id: event.id,
  type: event.type,
  uid: event.resource.uid,
});

export interface Follower {
  events(): readonly RecordedEvent[];
  /** Rejects if the stream fails for good. It never resolves. */
  failure(): Promise<never>;
  stop(): void;
}

export function followEvents(api: PaytoClient): Follower {
  const events: RecordedEvent[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const following = (async () => {
    const since = '2000-01-01T00:00:00Z';
    for await (const { event } of api.events({ since, signal })) events.push(recordedEventOf(event));
  })();
  following.catch(() => undefined);
  return {
    events: () => [...events],
    failure: () => following.then(() => new Promise<never>(() => undefined)),
    stop: () => {
      stopping.abort();
    },
  };
}

/** The first difference between the records and the truth. */
export function recordsViolation(
  truth: ReadonlyMap<string, Truth>,
  { rows, listed, events, followed }: Recorded,
): string | undefined {
  const ids = events.map(({ id }) => id);
  const [repeated] = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return `expected each event once; ${repeated} is there twice`;
  const received = [...new Set(followed.map(({ id }) => id))];
  const at = ids.findIndex((id, index) => received[index] !== id);
  if (at >= 0 || received.length > ids.length)
    return `expected the stream to have event ${at}, ${ids[at] ?? 'none'}; it has ${received[at] ?? 'none'}`;
  return (
    stateViolation('row', truth, rows) ??
    stateViolation('list item', truth, listed) ??
    [...truth].map((one) => eventViolation(one, events)).find((wrong) => wrong !== undefined)
  );
}

function stateViolation(
  what: string,
  truth: ReadonlyMap<string, Truth>,
  states: ReadonlyMap<string, string>,
): string | undefined {
  for (const [uid, { state }] of truth)
    if (states.get(uid) !== state)
      return `expected the ${what} of ${uid} to be ${state}; it is ${states.get(uid) ?? 'absent'}`;
  for (const uid of states.keys())
    if (!truth.has(uid)) return `expected no ${what} of ${uid}, which was never requested`;
  return undefined;
}

function eventViolation(
  [uid, { type, state, isParked, failures }]: [string, Truth],
  events: readonly RecordedEvent[],
): string | undefined {
  const types = events.filter((event) => event.uid === uid).map((event) => event.type);
  const expected = {
    [type === 'agreement' ? 'agreement.created' : `${type}.requested`]: 1,
    [`${type}.failed`]: failures,
    ...(state !== 'failed' && { [`${type}.${state}`]: 1 }),
  };
  if (isParked) return undefined;
  for (const [name, times] of Object.entries(expected)) {
    const found = types.filter((one) => one === name).length;
    if (found !== times)
      return `expected ${times} events ${name} of ${uid}; found ${found} among ${types.join(', ')}`;
  }
  return undefined;
}
