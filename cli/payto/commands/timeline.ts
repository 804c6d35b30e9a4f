// `payto timeline` and `payto follow`: what happened to a resource, as sentences.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { answerOf, type TimelineEntry } from '../../../client/create.js';
import { cursorIn, type Api } from '../api.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { usage } from '../failure.js';
import { getResource, type Found } from '../find.js';
import { clockTime, duration, localDay, printable, words, wrapped } from '../format.js';
import { foundIn } from './show.js';
import type { Io } from '../io.js';
import type { Kind } from '../kinds.js';

/** Adds the commands. */
export function addTimeline(program: Command, io: Io): void {
  program
    .command('timeline <kind-or-uid> [uid]')
    .summary('print what happened to a resource, as sentences')
    .description('Prints everything that was recorded about a resource, oldest first, in local time.')
    .action(async (first: string, second: string | undefined, _: object, self: Command) => {
      const context = contextOf(self, io);
      const { kind, uid } = await foundIn(context, first, second);
      const reader = await readerOf(context, kind, uid);
      await reader.printNew();
      if (!reader.isComplete())
        io.note('The records database is away or late, so entries may be missing. Repeat the command later.');
    });
  program
    .command('follow <kind-or-uid> [uid]')
    .summary('print what happens to a resource, until it ends')
    .description('Prints the timeline, and each new entry until the resource ends. Ctrl-C ends it earlier.')
    .action(async (first: string, second: string | undefined, _: object, self: Command) => {
      const context = contextOf(self, io);
      await follow(context, await foundIn(context, first, second));
    });
}

const WAIT_SECONDS = 20;
const PAUSE_MS = 2000;
/** The records are a few seconds behind. */
const LAST_READS = 5;

async function follow(context: Context, found: Found): Promise<void> {
  const { kind, uid } = found;
  const api = await context.api();
  const reader = await readerOf(context, kind, uid);
  const stateOf = ({ resource }: Found) => resource.state ?? resource.status ?? '';
  const hasEnded = (one: Found) => kind.ended?.includes(stateOf(one)) === true;
  const hasWait = kind.ended !== undefined && kind.key !== 'notification' && kind.name !== 'unmatched-credit';
  let latest = found;
  await reader.printNew();
  while (!hasEnded(latest)) {
    await pause(PAUSE_MS, undefined, { signal: context.io.signal });
    latest = await getResource(api, kind, uid, hasWait ? WAIT_SECONDS : undefined);
    await reader.printNew();
  }
  for (let reads = 0; reader.lastState() !== stateOf(latest) && reads < LAST_READS; reads += 1) {
    await pause(PAUSE_MS, undefined, { signal: context.io.signal });
    await reader.printNew();
  }
  context.io.note(`${words(kind.name)} ${uid} has ended: ${words(stateOf(latest))}.`);
}

interface TimelineReader {
  /** Prints the entries that were not printed yet. */
  printNew: () => Promise<void>;
  isComplete: () => boolean;
  lastState: () => string | undefined;
}

async function readerOf(context: Context, kind: Kind, uid: string): Promise<TimelineReader> {
  const { timeline } = kind;
  if (timeline === undefined) throw usage(`expected a resource with a timeline; a ${kind.name} has none`);
  const api = await context.api();
  const printed = new Set<string>();
  let [cursor, isComplete, lastState, day]: [string | undefined, boolean, string | undefined, string] = [
    undefined,
    true,
    undefined,
    '',
  ];
  const print = async (entry: TimelineEntry): Promise<void> => {
    const key = `${entry.sequence} ${entry.kind}`;
    // The last page is read again, because new entries are added to it.
    if (printed.has(key)) return;
    printed.add(key);
    if (entry.kind === 'state') lastState = entry.name;
    if (context.isJson) return printJson(context, entry);
    const today = localDay(entry.at, context.locale);
    await printLines(context, [...(today === day ? [] : [today]), ...entryLines(entry, context)]);
    day = today;
  };
  return {
    printNew: async () => {
      for (;;) {
        const page = await readPage(api, timeline, uid, cursor);
        isComplete = page.complete;
        for (const entry of page.data) await print(entry);
        const next = cursorIn(page.links.next);
        if (next === undefined) return;
        // Entries before this page are printed.
        printed.clear();
        cursor = next;
      }
    },
    isComplete: () => isComplete,
    lastState: () => lastState,
  };
}

interface TimelinePage {
  data: TimelineEntry[];
  complete: boolean;
  links: { next?: string };
}

/** Every timeline has the same answer. */
async function readPage(
  { client }: Api,
  path: NonNullable<Kind['timeline']>,
  uid: string,
  cursor: string | undefined,
): Promise<TimelinePage> {
  const params = { path: { uid }, query: { per_page: 100, cursor } } as never;
  return answerOf(client.GET(path, { params }) as never);
}

const CLOCK_COLUMN = '  00:00:00  '.length;
/** Less is no lateness that a person would act on. */
const LATE_SECONDS = 2;

/** The sentence at its time, and how late the fact arrived. */
export function entryLines(
  entry: TimelineEntry,
  { locale, textWidth }: Pick<Context, 'locale' | 'textWidth'>,
): string[] {
  const text = printable(`${entry.summary}${latenessOf(entry)}`);
  return wrapped(text, textWidth - CLOCK_COLUMN).map((line, index) =>
    index === 0 ? `  ${clockTime(entry.at, locale)}  ${line}` : `${' '.repeat(CLOCK_COLUMN)}${line}`,
  );
}

function latenessOf({ fact }: TimelineEntry): string {
  if (fact === null || (fact.source !== 'webhook' && fact.source !== 'history')) return '';
  const isRead = fact.source === 'history';
  const after = fact.late_by_seconds < LATE_SECONDS ? '' : ` ${duration(fact.late_by_seconds)} later`;
  if (isRead) return ` (Read from the provider’s history${after}.)`;
  return after === '' ? '' : ` (Received${after}.)`;
}
