// `payto batch`: follows a batch until it has ended, and pauses, resumes or abandons it.
import { setTimeout as pause } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import { answerOf, type Operations } from '../../../client/create.js';
import { act, withYes, type ActFlags } from '../act.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { usage } from '../failure.js';
import { dollars, words, wrapped } from '../format.js';
import type { Api } from '../api.js';
import type { Io } from '../io.js';

export type Batch = Operations['GET']['/v1/batches/{uid}']['data']['data'];

const STEERING = {
  pause: {
    path: '/v1/batches/{uid}/pause',
    effect: 'pauses: no further rows start, except for those that are starting now',
  },
  resume: { path: '/v1/batches/{uid}/resumption', effect: 'resumes with its waiting rows' },
  abandon: {
    path: '/v1/batches/{uid}/abandonment',
    effect: 'is abandoned: its waiting rows never start. This cannot be undone',
  },
} as const;
type Steering = keyof typeof STEERING;

/** Adds the command. */
export function addBatch(program: Command, io: Io): void {
  const command = program
    .command('batch <id>')
    .summary('follow a batch, or pause, resume or abandon it')
    .description(
      'Prints the progress of a batch until it has ended. Ctrl-C ends only this command, and the batch continues on the server.',
    )
    .addArgument(new Argument('[action]', 'what to do instead').choices(Object.keys(STEERING)))
    .option('--reason <text>', 'why; required with an action, and stored with your principal');
  withYes(command).action(
    async (id: string, action: Steering | undefined, flags: ActFlags, self: Command) => {
      const context = contextOf(self, io);
      await (action === undefined ? followBatch(context, id) : steer(context, id, action, flags));
    },
  );
}

async function steer(context: Context, id: string, action: Steering, flags: ActFlags): Promise<void> {
  const { reason } = flags;
  if (reason === undefined) throw usage('expected --reason <text>');
  const { client } = await context.api();
  const { path, effect } = STEERING[action];
  await act(context, {
    effect: `Batch ${id} ${effect}.`,
    flags,
    send: () => answerOf(client.POST(path, { params: { path: { uid: id } }, body: { reason } })),
    result: ({ data }) => [progressOf(data)],
  });
}

const PAUSE_MS = 1000;

/** Prints each change of the counts until the batch has ended or is paused. Ctrl-C stops only this. @throws the errors of the API. */
export async function followBatch(context: Context, id: string): Promise<void> {
  const { io, isJson } = context;
  const api = await context.api();
  try {
    let printed = '';
    for (;;) {
      const batch = await batchOf(api, id);
      const progress = progressOf(batch);
      if (isOver(batch))
        return await (isJson
          ? printJson(context, { data: batch })
          : printLines(context, endLines(batch, context)));
      if (progress !== printed) io.note(progress);
      printed = progress;
      await pause(PAUSE_MS, undefined, { signal: io.signal });
    }
  } catch (error) {
    if (io.signal.aborted)
      io.note(
        `Batch ${id} continues on the server. \`payto batch ${id}\` follows it, and with pause, resume or abandon and --reason controls it.`,
      );
    throw error;
  }
}

/** Answers the batch as it is now. */
export async function batchOf({ client }: Api, id: string): Promise<Batch> {
  return (await answerOf(client.GET('/v1/batches/{uid}', { params: { path: { uid: id } } }))).data;
}

/** An abandoned batch still follows the rows that have started. */
const isOver = ({ state, counts }: Batch): boolean =>
  ['done', 'incomplete', 'paused'].includes(state) ||
  (state === 'abandoned' && (counts['started'] ?? 0) + (counts['blocked'] ?? 0) === 0);

/** Such as `Batch b-1 is running: 12 done ($504.00), 3 waiting ($126.00).` */
export function progressOf({ id, state, counts, repair }: Batch): string {
  const amounts: Readonly<Record<string, number>> = repair?.amounts ?? {};
  const parts = Object.entries(counts).flatMap(([outcome, count]) => {
    const cents = amounts[outcome] ?? 0;
    const amount = cents === 0 ? '' : ` (${dollars(cents)})`;
    return count === 0 ? [] : [`${count} ${words(outcome)}${amount}`];
  });
  return `Batch ${id} is ${words(state)}: ${parts.join(', ') || 'no rows'}.`;
}

const FAILED = ['refused', 'failed', 'parked'] as const;

function endLines(batch: Batch, { textWidth }: Context): string[] {
  const { id, state, counts } = batch;
  const lists = FAILED.filter((outcome) => (counts[outcome] ?? 0) > 0).map(
    (outcome) => `Read why: \`payto list rows ${id} --outcome ${outcome}\`.`,
  );
  const next = state === 'paused' ? [`Continue it: \`payto batch ${id} resume --reason <text>\`.`] : lists;
  return [progressOf(batch), ...next].flatMap((line) => wrapped(line, textWidth));
}
