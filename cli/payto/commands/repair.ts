// Repairs in bulk (`payto retry --failure`, `payto resolve --flag`): a dry run first, then a batch on the server that is followed.
import { randomUUID } from 'node:crypto';
import { answerOf } from '../../../client/create.js';
import { act, confirm, type ActFlags } from '../act.js';
import { printJson, printLines, type Context } from '../context.js';
import { usage } from '../failure.js';
import { dollars, printable, wrapped } from '../format.js';
import { listOf } from '../kinds.js';
import { createTable } from '../table.js';
import { followBatch, progressOf, type Batch } from './batch.js';
import type { Api } from '../api.js';

export interface RepairFlags extends ActFlags {
  dryRun?: boolean;
  connection?: string;
}

type RepairPath = '/v1/retries' | '/v1/resolutions';
interface Repair {
  path: RepairPath;
  /** What happens to each row, as a clause. */
  effect: string;
  flags: RepairFlags;
  /** The API checks the values, which come from the command line. */
  filter: object;
  decision?: string | undefined;
}

const WAIT_SECONDS = 20;
/** How many rows of a dry run are printed. */
const PRINTED = 20;

/** Runs the dry run and asks, unless the flags say otherwise. Then it starts the batch and follows it. @throws Failure if the person declines. */
export async function repairInBulk(context: Context, repair: Repair): Promise<void> {
  const { flags, effect } = repair;
  const isOnlyTried = flags.dryRun === true;
  if (flags.reason === undefined && !isOnlyTried) throw usage('expected --reason <text>, or --dry-run');
  const api = await context.api();
  const key = flags.idempotencyKey ?? randomUUID();
  if (isOnlyTried || flags.yes !== true) {
    const tried = await tryOut(context, api, repair, key);
    if (isOnlyTried) return;
    if ((tried.counts['passes'] ?? 0) === 0)
      return context.io.note('Nothing would be done, so no batch was started.');
    await confirm(context, flags);
  }
  const started: { id?: string } = {};
  await act(
    { ...context, isJson: false },
    {
      effect: `${effect} A batch on the server does this.`,
      // The person has confirmed the dry run.
      flags: { ...flags, yes: true, idempotencyKey: key },
      send: async (header) => {
        const { data } = await post(api, repair, header, {});
        started.id = data.id;
      },
      result: () => [],
    },
  );
  if (started.id !== undefined) await followBatch(context, started.id);
}

/** Prints what the batch would do. The dry run is a batch of its own. */
async function tryOut(context: Context, api: Api, repair: Repair, key: string): Promise<Batch> {
  const header = { 'Idempotency-Key': `${key}-dry-run` };
  const { data } = await post(api, repair, header, { dry_run: 'true', wait: WAIT_SECONDS });
  if (context.isJson && repair.flags.dryRun === true) await printJson(context, { data });
  else if (!context.isJson) await printDryRun(context, api, data);
  return data;
}

async function printDryRun(context: Context, api: Api, batch: Batch): Promise<void> {
  const { id, rows, repair, counts } = batch;
  const cents = Object.values(repair?.amounts ?? {}).reduce((sum, amount) => sum + amount, 0);
  const total = cents === 0 ? '' : ` of ${dollars(cents)}`;
  await printLines(context, [
    `Dry run: ${rows} found${total}. Nothing was changed.`,
    ...wrapped(progressOf(batch), context.textWidth),
  ]);
  await printRows(context, api, id, 'passes');
  if ((counts['refused'] ?? 0) > 0) await printRows(context, api, id, 'refused');
}

async function printRows(
  context: Context,
  { client }: Api,
  id: string,
  outcome: 'passes' | 'refused',
): Promise<void> {
  const params = { path: { uid: id }, query: { outcome, per_page: PRINTED } } as never;
  const { data, links }: { data: object[]; links: { next?: string } } = await answerOf(
    client.GET('/v1/batches/{uid}/rows', { params }) as never,
  );
  if (data.length === 0) return;
  await context.io.out(createTable(listOf('rows').columnsFor(context.locale), context.io.columns).page(data));
  if (links.next !== undefined)
    await printLines(context, [`The first ${PRINTED}. All: \`payto list rows ${id} --outcome ${outcome}\`.`]);
}

/** Both paths have the same answer. */
function post(
  { client }: Api,
  { path, flags, filter, decision }: Repair,
  header: object,
  query: object,
): Promise<{ data: Batch }> {
  const { reason = 'Dry run', connection } = flags;
  const body = {
    ...{ reason: printable(reason), filter },
    ...(connection !== undefined && { connection }),
    ...(decision !== undefined && { decision }),
  };
  return answerOf(client.POST(path, { params: { header, query }, body }));
}
